import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../kit/database/open.ts';
import { within } from '../../kit/database/organization.ts';
import { transaction } from '../../kit/database/transaction.ts';
import type { Secrets } from '../../kit/secrets/secrets.ts';
import * as queries from './queries/organization-state.ts';

export type { OrganizationState } from './queries/organization-state.ts';
export {
  deleteOrganization,
  findConnectorNetworks,
  findOrganizationId,
  listDueForDeletion,
  listOrganizations,
  listSuspended,
  lockOrganization,
  setConnectorNetworks,
  setHistoryDays,
  setState,
} from './queries/organization-state.ts';

/** The purpose with which the sign-in secret is encrypted. */
export const SIGN_IN_SECRET = 'organization.sign_in_secret';
const SECRET_BYTES = 32;

/** Adds an organization. Returns its id, or undefined if the slug is taken. */
export async function insertOrganization(
  tx: Tx,
  secrets: Secrets,
  slug: string,
  name: string,
): Promise<string | undefined> {
  const orgId = await queries.insertOrganization(tx, slug, name);
  if (orgId === undefined) return undefined;
  const secret = Buffer.from(randomBytes(SECRET_BYTES).toString('hex'));
  await queries.setSignInSecret(
    within(tx, orgId),
    await secrets.seal(within(tx, orgId), SIGN_IN_SECRET, secret),
  );
  return orgId;
}

/**
 * Encrypts the sign-in secrets that an earlier version stored in plain text. They encrypt second factors and client
 * secrets of providers. Safe to repeat, also on several nodes at the same time.
 */
export async function sealSignInSecrets(db: Db, secrets: Secrets): Promise<void> {
  for (const orgId of await queries.organizationsWithPlainSecret(db)) {
    await transaction(within(db, orgId), async (tx) => {
      const secret = await queries.lockPlainSecret(tx);
      if (secret === undefined) return;
      const sealed = await secrets.seal(tx, SIGN_IN_SECRET, Buffer.from(secret));
      await queries.setSignInSecret(tx, sealed);
    });
  }
}
