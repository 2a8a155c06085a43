import { sql } from 'kysely';
import { ensureOrganization } from '../src/access/bootstrap.ts';
import { newKey } from '../src/access/key-format.ts';
import { insertKey } from '../src/access/keys.ts';
import { type Role, SCOPES } from '../src/identity/principal.ts';
import { transaction } from '../src/platform/database/transaction.ts';
import type { TestApp } from './app.ts';

/** Returns the organization that openTestApp creates, and its owner. */
export async function organizationOf({ database }: TestApp): Promise<{ orgId: string; ownerId: string }> {
  const { rows } = await sql<{ orgId: string; ownerId: string }>`
    select u.org_id as "orgId", u.id as "ownerId"
    from platform_user u join organization o on o.id = u.org_id and o.slug = 'acme'
    order by u.created_at limit 1`.execute(database.db);
  return rows[0]!;
}

/** Adds a person with this role and a key for them, with all scopes, for all apps unless some are listed. */
export async function addPersonWithKey(
  test: TestApp,
  role: Role,
  { email = `${role}-${newKey().slice(3, 12)}@acme.example`, apps = null as string[] | null } = {},
): Promise<{ id: string; email: string; key: string }> {
  const { body } = await test.call('POST', '/api/users/', { email, role });
  const key = newKey();
  const { orgId } = await organizationOf(test);
  await transaction(test.database.db, (tx) =>
    insertKey(tx, orgId, body.external_uuid, { type: 'system', uuid: null }, key, {
      name: `key of ${email}`,
      scopes: SCOPES,
      apps,
      expiresAt: null,
    }),
  );
  return { id: body.external_uuid, email, key };
}

/** Adds an organization to the same database. Returns a function that calls it with its first key. */
export async function addOrganization(test: TestApp, org = 'other') {
  const made = await ensureOrganization(test.database.db, {
    org,
    apiKey: undefined,
    adminEmail: `admin@${org}.example`,
    adminPassword: 'correct horse battery staple',
  });
  if (made === undefined) throw new Error(`The organization ${org} already exists.`);
  return (method: string, path: string, body?: unknown) =>
    test.call(method, path, body, { org, key: made.apiKey });
}

/** Returns the events whose type begins with `prefix`, oldest first. */
export async function eventsOf(test: TestApp, prefix: string): Promise<LoggedEvent[]> {
  const { rows } = await sql<{ body: string }>`
    select e.body from event e join organization o on o.id = e.org_id and o.slug = 'acme'
    where e.event_type like ${`${prefix}%`} order by e.position`.execute(test.database.db);
  return rows.map(({ body }) => JSON.parse(body));
}

interface LoggedEvent {
  event_type: string;
  actor: { type: string; uuid: string | null };
  subject: { type: string; uuid: string };
  source: { type: string; uuid: string | null };
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a payload.
  payload: any;
}
