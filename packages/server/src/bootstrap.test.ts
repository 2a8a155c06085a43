// @module-tag engine

import { afterAll, expect, test } from 'vitest';
import { ensureOrganization, type FirstStart } from '#bootstrap.ts';
import { isWellFormed } from '#directory/access/key-format.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { prepareEventLog } from '#log/events/log.ts';
import { openTestDatabase } from '#test/database.ts';
import { secrets as testSecrets } from '#test/secrets.ts';

const { database, close } = await openTestDatabase();
const { db } = database;
await prepareEventLog(db, createLogger('silent'));
afterAll(close);

const start = (org: string, more: Partial<FirstStart> = {}): FirstStart => ({
  org,
  apiKey: undefined,
  adminEmail: undefined,
  adminPassword: undefined,
  ...more,
});

/** The organization's number of people and keys, and its events, oldest first. */
async function contents(slug: string) {
  const { rows } = await sql<{ id: string }>`select id from organization where slug = ${slug}`.execute(db);
  const orgId = rows[0]?.id;
  if (orgId === undefined) return undefined;
  const found = await sql<{ people: number; keys: number; events: string[] }>`
    select (select count(*) from platform_user where org_id = ${orgId}) as people,
      (select count(*) from api_key where org_id = ${orgId}) as keys,
      array(select body from event where org_id = ${orgId} order by position) as events`.execute(db);
  return found.rows.map((row) => ({ ...row, events: row.events.map((body) => JSON.parse(body)) }))[0];
}

test('creates an organization with its administrator and a key on the first start, and records them', async () => {
  const secrets = await ensureOrganization(db, testSecrets, start('first'));

  expect(isWellFormed(secrets?.apiKey ?? '')).toBe(true);
  expect(secrets).toMatchObject({ adminEmail: 'admin@first.example' });
  expect(secrets?.adminPassword).toMatch(/^[A-Za-z0-9_-]{16}$/);
  expect(await contents('first')).toMatchObject({
    people: 1,
    keys: 1,
    events: [
      {
        event_type: 'user.created',
        actor: { type: 'system', uuid: null },
        payload: { email: 'admin@first.example', role: 'owner' },
      },
      {
        event_type: 'api_key.created',
        payload: { scopes: ['bridge', 'events', 'read', 'govern'], apps: null },
      },
    ],
  });
});

test('uses the given key, email and password', async () => {
  const given = {
    apiKey: 'the-key-of-a-test-with-32-characters',
    adminEmail: 'Root@Given.example',
    adminPassword: 'a password of ours',
  };

  expect(await ensureOrganization(db, testSecrets, start('given', given))).toEqual(given);
});

test('refuses a common password, and creates nothing', async () => {
  await expect(
    ensureOrganization(db, testSecrets, start('weak', { adminPassword: 'password1234' })),
  ).rejects.toThrow('GATEHOUSE_ADMIN_PASSWORD: This password is common or easy to guess.');

  expect(await contents('weak')).toBeUndefined();
});

test('creates nothing and returns no secret on a later start', async () => {
  await ensureOrganization(db, testSecrets, start('twice'));
  const before = await contents('twice');

  expect(
    await ensureOrganization(db, testSecrets, start('twice', { adminEmail: 'another@twice.example' })),
  ).toBeUndefined();
  expect(await contents('twice')).toEqual(before);
});

test('creates the organization once if several nodes start at the same time', async () => {
  const secrets = await Promise.all(
    Array.from({ length: 5 }, () => ensureOrganization(db, testSecrets, start('race'))),
  );

  expect(secrets.filter((made) => made !== undefined)).toHaveLength(1);
  expect(await contents('race')).toMatchObject({ people: 1, keys: 1 });
});

test('creates everything or nothing', async () => {
  await expect(
    ensureOrganization(db, testSecrets, start('half', { adminEmail: 'a\0b@half.example' })),
  ).rejects.toThrow();

  expect(await contents('half')).toBeUndefined();
});

test('stores neither the key nor the password in plain text', async () => {
  const secrets = await ensureOrganization(db, testSecrets, start('secret'));

  for (const table of ['api_key', 'platform_user', 'event', 'organization']) {
    const { rows } = await sql<{ all: string }>`
      select string_agg(row_to_json(t)::text, ' ') as all from ${sql.table(table)} t`.execute(db);
    expect(rows[0]?.all).toContain('{');
    expect(rows[0]?.all).not.toContain(secrets?.apiKey);
    expect(rows[0]?.all).not.toContain(secrets?.adminPassword);
  }
});

test('stores the secrets of an organization encrypted only', async () => {
  await ensureOrganization(db, testSecrets, start('sealed'));

  const { rows } = await sql<{
    sign_in: string | null;
    sealed: string;
    cursor: Uint8Array | null;
    sealed_cursor: string;
  }>`
    select o.sign_in_secret as sign_in, o.sealed_sign_in_secret as sealed, k.secret as cursor,
      k.sealed_secret as sealed_cursor
    from organization o join event_cursor_key k on k.org_id = o.id where o.slug = 'sealed'`.execute(db);
  expect(rows).toEqual([
    {
      sign_in: null,
      sealed: expect.stringMatching(/^v1\./),
      cursor: null,
      sealed_cursor: expect.stringMatching(/^v1\./),
    },
  ]);
});
