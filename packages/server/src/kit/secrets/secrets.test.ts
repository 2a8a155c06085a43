// @module-tag engine

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import { newOrganization } from '#test/event-log.ts';
import { within } from '../database/organization.ts';
import { transaction } from '../database/transaction.ts';
import { type SecretKey, secretKeyOf } from './secret-key.ts';
import { openSecrets, requireSecretKeys } from './secrets.ts';

const { database, close } = await openTestDatabase();
const { db } = database;
afterAll(close);

const newKey = (): SecretKey => secretKeyOf(randomBytes(32));
const PURPOSE = 'test.secret';
const SECRET = Buffer.from('hunter2');

test('decrypts a secret for its organization and purpose only', async () => {
  const secrets = openSecrets({ current: newKey(), old: [] });
  const [org, other] = [await newOrganization(database), await newOrganization(database)];
  await sql`delete from data_key where org_id in (${org}, ${other})`.execute(db);
  const sealed = await secrets.seal(within(db, org), PURPOSE, SECRET);

  expect(sealed).not.toContain(SECRET.toString('base64url'));
  expect(await secrets.open(within(db, org), PURPOSE, sealed)).toEqual(SECRET);
  await expect(secrets.open(within(db, org), 'another.secret', sealed)).rejects.toThrow();
  await expect(secrets.open(within(db, other), PURPOSE, sealed)).rejects.toThrow();
  await expect(secrets.open(within(db, org), PURPOSE, `${sealed.slice(0, -1)}~`)).rejects.toThrow();
});

test('encrypts the same secret differently each time', async () => {
  const secrets = openSecrets({ current: newKey(), old: [] });
  const org = await organizationWithoutKeys();

  const sealed = await Promise.all([1, 2].map(() => secrets.seal(within(db, org), PURPOSE, SECRET)));

  expect(sealed[0]).not.toBe(sealed[1]);
});

test('reads with an old key, and needs only the new one after the data keys are encrypted again', async () => {
  const [before, after] = [newKey(), newKey()];
  const org = await organizationWithoutKeys();
  const sealed = await openSecrets({ current: before, old: [] }).seal(within(db, org), PURPOSE, SECRET);
  const both = openSecrets({ current: after, old: [before] });

  expect(await both.open(within(db, org), PURPOSE, sealed)).toEqual(SECRET);
  expect(await both.organizationsToRewrap(db)).toContain(org);
  expect(await transaction(within(db, org), (tx) => both.rewrap(tx))).toBe(1);
  expect(await transaction(within(db, org), (tx) => both.rewrap(tx))).toBe(0);
  const [one] = [openSecrets({ current: after, old: [] })];
  expect(await one?.open(within(db, org), PURPOSE, sealed)).toEqual(SECRET);
});

test('refuses a key that did not encrypt the database, and names both by their ids', async () => {
  const [right, wrong] = [newKey(), newKey()];
  await sql`delete from data_key`.execute(db);
  const org = await organizationWithoutKeys();
  await openSecrets({ current: right, old: [] }).seal(within(db, org), PURPOSE, SECRET);

  await expect(requireSecretKeys(db, { current: wrong, old: [] })).rejects.toThrow(
    `encrypted with the secret key ${right.id}, but GATEHOUSE_SECRET_KEY is the key ${wrong.id}.`,
  );
  await requireSecretKeys(db, { current: wrong, old: [right] });
});

async function organizationWithoutKeys() {
  const org = await newOrganization(database);
  await sql`delete from data_key where org_id = ${org}`.execute(db);
  return org;
}
