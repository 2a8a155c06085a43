import { randomUUID } from 'node:crypto';
import { newKey } from '#directory/access/key-format.ts';
import { insertKey } from '#directory/access/keys.ts';
import { transaction, within } from '#kit/database.ts';
import { FIRST_KEY_SCOPES, type Role } from '#kit/identity.ts';
import { sql } from '#kit/sql.ts';
import type { TestApp } from './app.ts';
import { addOrganizationAs } from './organization.ts';
import { setTimes } from './time.ts';

/** Returns the organization that openTestApp creates, and its first owner. */
export async function organizationOf({
  database,
  org,
}: Pick<TestApp, 'database' | 'org'>): Promise<{ orgId: string; ownerId: string }> {
  const { rows } = await sql<{ orgId: string; ownerId: string }>`
    select u.org_id as "orgId", u.id as "ownerId"
    from platform_user u join organization o on o.id = u.org_id and o.slug = ${org}
    order by u.created_at limit 1`.execute(database.db);
  return rows[0]!;
}

/**
 * Creates a person with any role, as if 31 days ago: whoever creates somebody is behind what they decide for 30 days (D76). API keys, which
 * the tests call with, create only members.
 */
export async function addPersonWithRole(
  test: Pick<TestApp, 'call' | 'database'>,
  email: string,
  role: string,
): Promise<{ external_uuid: string; email: string }> {
  const { body } = await test.call('POST', '/api/users/', { email });
  await sql`update platform_user set role = ${role} where id = ${body.external_uuid}`.execute(
    test.database.db,
  );
  await setTimes(test, 'given_means', { given_at: '31 days ago' }, { receiver_id: body.external_uuid });
  return body;
}

/** Creates a person with this role and an API key that acts for them, with all scopes and for all apps by default. */
export async function addPersonWithKey(
  test: TestApp,
  role: Role,
  { email = `${role}-${newKey().slice(3, 12)}@acme.example`, apps = null as string[] | null } = {},
): Promise<{ id: string; email: string; key: string }> {
  const { external_uuid: id } = await addPersonWithRole(test, email, role);
  const key = newKey();
  const { orgId } = await organizationOf(test);
  await transaction(within(test.database.db, orgId), (tx) =>
    insertKey(tx, {
      userId: id,
      key,
      name: `key of ${email}`,
      scopes: FIRST_KEY_SCOPES,
      apps,
      expiresAt: null,
    }),
  );
  return { id, email, key };
}

/** Creates another organization in the same database. Returns a function that calls it with its first key. */
export async function addOrganization(test: TestApp, org = `other-${randomUUID()}`) {
  const firstKey = await addOrganizationAs(test.database, {
    slug: org,
    name: org,
    adminEmail: `admin@${org}.example`,
  });
  return (
    method: string,
    path: string,
    body?: unknown,
    options: { key?: string; headers?: Record<string, string> } = {},
  ) => test.call(method, path, body, { org, key: firstKey, ...options });
}

/** Returns the events whose types start with `prefix`, oldest first. */
export async function eventsOf(test: TestApp, prefix: string): Promise<LoggedEvent[]> {
  const { rows } = await sql<{ body: string }>`
    select e.body from event e join organization o on o.id = e.org_id and o.slug = ${test.org}
    where e.event_type like ${`${prefix}%`} order by e.position`.execute(test.database.db);
  return rows.map(({ body }) => JSON.parse(body));
}

interface LoggedEvent {
  event_type: string;
  actor: { type: string; uuid: string | null };
  subject: { type: string; uuid: string };
  source: { type: string; uuid: string | null };
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the payload that it expects.
  payload: any;
}
