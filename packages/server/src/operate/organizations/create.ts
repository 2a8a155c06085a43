import { newKey } from '#directory/access/key-format.ts';
import { insertKey } from '#directory/access/keys.ts';
import { insertOrganization } from '#directory/access/organization-state.ts';
import { createFirstAdministrator } from '#directory/people/people.ts';
import { setFirstPassword } from '#directory/sign-in/credentials/passwords.ts';
import { beginNotifications } from '#insight/notifications/notify.ts';
import { type Db, type Tx, transaction, within } from '#kit/database.ts';
import { FIRST_KEY_SCOPES } from '#kit/identity.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { beginEventLog } from '#log/events/log.ts';
import { about, record } from './record.ts';
import { organizationRefusals } from './sentences.ts';

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
  { adminPassword, ...organization }: NewOrganization,
): Promise<string | undefined> {
  const added = await addWithoutPassword(tx, secrets, organization);
  if (added !== undefined) await setFirstPassword(within(tx, added.orgId), added.ownerId, adminPassword);
  return added?.orgId;
}

/** Adds an organization as `addOrganization` does, whose owner cannot sign in yet. */
export async function addWithoutPassword(
  tx: Tx,
  secrets: Secrets,
  { slug, name, adminEmail, apiKey }: Omit<NewOrganization, 'adminPassword'>,
): Promise<{ orgId: string; ownerId: string } | undefined> {
  const orgId = await insertOrganization(tx, secrets, slug, name);
  if (orgId === undefined) return undefined;
  const org = within(tx, orgId);
  await beginEventLog(org, secrets);
  await beginNotifications(org);
  const ownerId = await createFirstAdministrator(org, adminEmail);
  await insertKey(org, {
    userId: ownerId,
    key: apiKey,
    name: 'First key',
    scopes: FIRST_KEY_SCOPES,
    apps: null,
    expiresAt: null,
  });
  return { orgId, ownerId };
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
    if (id === undefined) throw organizationRefusals.organization_slug_taken({ slug: given.slug });
    const organization = { id, ...given };
    const { envelope, payload } = about(organization);
    await record(tx, organization, { type: 'organization.created', ...envelope, payload });
  });
  return apiKey;
}
