// @module-tag engine

import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { type Envelope, newOrganization, openTestLog } from '#test/event-log.ts';
import { setTimes } from '#test/time.ts';
import { type KeyUse, openKeyUseLog } from './key-use.ts';
import { deleteIdleRecords } from './limits.ts';

const log = await openTestLog();
const { db } = log.database;
afterAll(log.close);

let orgId: string;
let keyId: string;
let personId: string;
beforeEach(async () => {
  orgId = await newOrganization(log.database);
  const { rows } = await sql<{ key_id: string; user_id: string }>`
    with person as (
      insert into platform_user (org_id, username, email) values (${orgId}, 'ada', 'ada@example.com') returning id
    )
    insert into api_key (org_id, name, key_hash, scopes, all_apps, user_id, created_by)
    select ${orgId}::uuid, 'SIEM', '\\x01', '{events,read}', true, id, id from person
    returning id as key_id, user_id`.execute(db);
  keyId = rows[0]?.key_id ?? '';
  personId = rows[0]?.user_id ?? '';
});

const errors: unknown[] = [];
const logger = { error: ((...entry: unknown[]) => errors.push(entry)) as never };
const openUses = () => openKeyUseLog(db, logger);
const use = (change: Partial<KeyUse> = {}): KeyUse => ({
  orgId,
  keyId,
  ip: '192.0.2.1',
  userAgent: 'vector/1',
  ...change,
});
const recorded = async (): Promise<Envelope[]> => (await log.read({ limit: 200 }, orgId)).events;

test('records the first use of a key with its person and client', async () => {
  const uses = openUses();
  uses.note(use());
  await uses.close();

  expect(await recorded()).toMatchObject([
    {
      event_type: 'api_key.used',
      actor: { type: 'user', uuid: personId, ip: '192.0.2.1', user_agent: 'vector/1' },
      subject: { type: 'platform_user', uuid: personId },
      source: { type: 'api', uuid: keyId },
      payload: { api_key_id: keyId, name: 'SIEM', scopes: ['events', 'read'] },
    },
  ]);
  expect(errors).toEqual([]);
});

test('records one event per client: IP address and user agent', async () => {
  const uses = openUses();
  for (let index = 0; index < 1000; index++) uses.note(use());
  uses.note(use({ ip: '192.0.2.2' }));
  uses.note(use({ userAgent: 'curl/8' }));
  uses.note(use({ userAgent: undefined }));
  uses.note(use({ ip: '::ffff:192.0.2.1' }));
  await uses.close();

  const seen = (await recorded()).map(({ actor }) => `${actor.ip} ${actor.user_agent}`);
  expect(seen.sort()).toEqual([
    '192.0.2.1 curl/8',
    '192.0.2.1 undefined',
    '192.0.2.1 vector/1',
    '192.0.2.2 vector/1',
  ]);
});

test('does not record a use again on another node or after a restart', async () => {
  const [one, two] = [openUses(), openUses()];
  one.note(use());
  two.note(use());
  await Promise.all([one.close(), two.close()]);
  const third = openUses();
  third.note(use());
  await third.close();

  expect(await recorded()).toHaveLength(1);
});

test('records a use again after an hour', async () => {
  const first = openUses();
  first.note(use());
  await first.close();
  await setTimes(db, 'api_key_use', { recorded_at: '61 minutes ago' }, { org_id: orgId });

  const second = openUses();
  second.note(use());
  await second.close();

  expect(await recorded()).toHaveLength(2);
});

test('deletes uses older than an hour and no others', async () => {
  const uses = openUses();
  uses.note(use());
  uses.note(use({ ip: '192.0.2.2' }));
  await uses.close();
  await sql`update api_key_use set recorded_at = now() - interval '61 minutes'
    where org_id = ${orgId} and client = (select min(client) from api_key_use where org_id = ${orgId})`.execute(
    db,
  );

  await deleteIdleRecords(db);

  const { rows } = await sql`select from api_key_use where org_id = ${orgId}`.execute(db);
  expect(rows).toHaveLength(1);
});

test('updates last_used_at', async () => {
  const before = Date.now();
  const uses = openUses();
  uses.note(use());
  await uses.close();

  const { rows } = await sql<{ at: Date }>`
    select last_used_at as at from api_key where org_id = ${orgId} and id = ${keyId}`.execute(db);
  expect(rows[0]?.at.getTime()).toBeGreaterThanOrEqual(before);
});

test('does not record a use after the key was revoked', async () => {
  await setTimes(db, 'api_key', { revoked_at: '1 minute ago' }, { id: keyId });
  const uses = openUses();
  uses.note(use());
  await uses.close();

  expect(await recorded()).toEqual([]);
});
