import { newKey } from '../access/key-format.ts';
import { insertKey } from '../access/keys.ts';
import { insertOrganization } from '../access/organization-state.ts';
import { setFirstPassword } from '../access/sign-in/passwords.ts';
import { beginEventLog } from '../events/log.ts';
import { SYSTEM } from '../identity/cause.ts';
import { FIRST_KEY_SCOPES } from '../identity/principal.ts';
import { beginNotifications } from '../notifications/notify.ts';
import { createFirstAdministrator } from '../people/people.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { about, record } from './record.ts';

export interface NewOrganization {
  slug: string;
  name: string;
  adminEmail: string;
  adminPassword: string;
  apiKey: string;
}

/**
 * Adds an organization with its log, its first owner, and an API key that acts for them. Returns its id, or undefined if
 * the slug is taken.
 */
export async function addOrganization(
  tx: Tx,
  secrets: Secrets,
  { slug, name, adminEmail, adminPassword, apiKey }: NewOrganization,
): Promise<string | undefined> {
  const orgId = await insertOrganization(tx, secrets, slug, name);
  if (orgId === undefined) return undefined;
  await beginEventLog(tx, secrets, orgId);
  await beginNotifications(tx, orgId);
  const userId = await createFirstAdministrator(tx, orgId, adminEmail);
  await setFirstPassword(tx, orgId, userId, adminPassword);
  await insertKey(tx, orgId, userId, SYSTEM, apiKey, {
    name: 'First key',
    scopes: FIRST_KEY_SCOPES,
    apps: null,
    expiresAt: null,
  });
  return orgId;
}

/** Creates an organization. Returns its first API key. Throws 409 if the slug is taken. */
export async function createOrganization(
  db: Db,
  secrets: Secrets,
  given: Omit<NewOrganization, 'apiKey'>,
): Promise<string> {
  const apiKey = newKey();
  await transaction(db, async (tx) => {
    const id = await addOrganization(tx, secrets, { ...given, apiKey });
    if (id === undefined) throw conflict(`An organization with the slug ${given.slug} already exists.`);
    const organization = { id, ...given };
    const { envelope, payload } = about(organization);
    await record(tx, organization, { type: 'organization.created', ...envelope, payload });
  });
  return apiKey;
}
