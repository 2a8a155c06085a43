import { randomBytes } from 'node:crypto';
import { type Db, type Tx, transaction, within } from '#kit/database.ts';
import { StartError } from '#kit/errors.ts';
import { parseNetwork } from '#kit/net/addresses.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import type { OrganizationState } from './organization-facts.ts';
import * as queries from './queries/organization-state.ts';
import { accessRefusals } from './sentences.ts';

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
  const org = within(tx, orgId);
  await queries.setSignInSecret(org, await secrets.seal(org, SIGN_IN_SECRET, secret));
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

/**
 * Locks an organization, and stores the state that `stateAfter` returns. Undefined leaves it as it is. Returns the organization as it
 * was before. Throws 404 for an unknown slug.
 */
export async function changeState(
  tx: Tx,
  slug: string,
  stateAfter: (before: OrganizationState) => queries.ChangeableState | undefined,
): Promise<OrganizationState> {
  const before = await queries.lockOrganization(tx, slug);
  if (before === undefined) throw accessRefusals.organization_unknown({ slug });
  const after = stateAfter(before);
  if (after !== undefined) await queries.setState(within(tx, before.id), after);
  return before;
}

/** Deletes an organization that has nothing left but its name. Its event log ends with it. */
export const deleteOrganization = (db: Db, id: string): Promise<void> =>
  transaction(within(db, id), (tx) => queries.deleteOrganization(tx));

const FEWEST_HISTORY_DAYS = 30;
const MOST_HISTORY_DAYS = 36_500;

export const wrongHistoryDays = (given: string | number) =>
  new StartError(
    `The days must be "forever" or a number from ${FEWEST_HISTORY_DAYS} to ${MOST_HISTORY_DAYS}. They are "${given}".`,
  );

/** Sets how many days ended periods of access are kept. Null keeps them forever. */
export async function setHistoryDays(db: Db, id: string, days: number | null): Promise<void> {
  if (days !== null && (days < FEWEST_HISTORY_DAYS || days > MOST_HISTORY_DAYS)) throw wrongHistoryDays(days);
  await queries.setHistoryDays(db, id, days);
}

/** Sets the networks that an organization's connectors may reach although they are not public. Null: those of the settings. */
export async function setConnectorNetworks(db: Db, id: string, networks: string[] | null): Promise<void> {
  const wrong = networks?.find((network) => parseNetwork(network) === undefined);
  if (wrong !== undefined)
    throw new StartError(
      `The networks must be "none", "default", or a comma-separated list such as 10.1.2.3,10.20.0.0/16,fd00::/8. "${wrong}" is neither an address nor a network.`,
    );
  await queries.setConnectorNetworks(db, id, networks);
}
