// @module-tag engine

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { named, namesOf, newOrganization, openTestLog, storedNames, type TestLog } from '#test/event-log.ts';
import { setTimes } from '#test/time.ts';
import { pastPartitions } from './queries/retention.ts';
import { recordEvents } from './record.ts';
import { maintainLog, setRetention } from './retention.ts';

const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);

let log: TestLog;
let db: TestLog['database']['db'];
let org: string;
beforeEach(async () => {
  log = await openTestLog({ since: daysAgo(200) });
  db = log.database.db;
  org = log.orgId;
  await startThen(org);
});
afterEach(() => log.close());

/** Makes the organization appear to be 199 days old. */
const startThen = (orgId: string) =>
  setTimes(db, 'event_head', { last_ingested_at: '199 days ago' }, { org_id: orgId });

/** Inserts an event as if it had been recorded `days` ago. */
async function recordThen(days: number, name: string, orgId = org) {
  const body = { payload: { name } };
  await sql`
    with head as (
      update event_head set last_position = last_position + 1,
        last_ingested_at = greatest(seconds_after(last_ingested_at, 0.000001), ${daysAgo(days)}::timestamptz)
      where org_id = ${orgId} returning last_position, last_ingested_at
    )
    insert into event_contract (org_id, position, ingested_at, event_id, event_type, occurred_at, subject_uuid, lag, body)
    select ${orgId}::uuid, last_position, last_ingested_at, ${randomUUID()}, 'user.created', last_ingested_at,
      ${randomUUID()}, 0, ${JSON.stringify(body)} from head`.execute(db);
}

const keepFor = (days: number | null, orgId = org) => setRetention(within(db, orgId), days);

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event_contract'::regclass order by 1`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

const monthOf = (date: Date) => `event_${date.toISOString().slice(0, 7).replace('-', '_')}`;

test('keeps every event by default', async () => {
  await recordThen(190, 'old');

  await maintainLog(db);

  expect(await storedNames(log.database, org)).toEqual(['old']);
});

test('deletes events older than the retention of their organization only', async () => {
  const other = await newOrganization(log.database);
  await startThen(other);
  await recordThen(100, 'theirs', other);
  await recordThen(100, 'old');
  await recordThen(31, 'just over');
  await recordThen(29, 'just under');
  await keepFor(30);

  await maintainLog(db);

  expect(await storedNames(log.database, org)).toEqual(['just under']);
  expect(namesOf((await log.read({}, org)).events)).toEqual(['just under']);
  expect(await storedNames(log.database, other)).toEqual(['theirs']);
});

test('hides expired events before they are deleted', async () => {
  await recordThen(40, 'old');
  await recordThen(20, 'new');
  await setTimes(db, 'event_head', { retained_from: '30 days ago' }, { org_id: org });

  const { events } = await log.read({}, org);

  expect(namesOf(events)).toEqual(['new']);
  expect(await storedNames(log.database, org)).toEqual(['new', 'old']);
});

test('moves a cursor that begins below up, reports it and continues the walk', async () => {
  await recordThen(100, 'seen');
  const { nextCursor } = await log.read({}, org);
  await recordThen(90, 'lost');
  await recordThen(20, 'kept a');
  await recordThen(10, 'kept b');
  await keepFor(30);
  await maintainLog(db);

  const page = await log.read({ cursor: nextCursor, limit: 1 }, org);
  const next = await log.read({ cursor: page.nextCursor, limit: 1 }, org);

  expect(namesOf([...page.events, ...next.events])).toEqual(['kept b', 'kept a']);
  expect(Math.abs((page.clampedTo ?? 0) / 1000 - daysAgo(30).getTime())).toBeLessThan(60_000);
  expect(next.clampedTo).toBeNull();
});

test('reports to a walk that retention overtook it', async () => {
  await recordThen(100, 'a');
  await recordThen(20, 'b');
  const top = await log.read({ limit: 1 }, org);
  await keepFor(30);
  await maintainLog(db);

  const rest = await log.read({ cursor: top.nextCursor, limit: 1 }, org);

  expect(rest.events).toEqual([]);
  expect(rest.clampedTo).not.toBeNull();
});

test('reports nothing to a reader without a cursor', async () => {
  await recordThen(100, 'old');
  await keepFor(30);
  await maintainLog(db);

  expect((await log.read({}, org)).clampedTo).toBeNull();
});

test('drops a month that no organization keeps, and no other', async () => {
  expect(await partitions()).toContain(monthOf(daysAgo(200)));
  await recordThen(190, 'given up');
  await keepFor(60);

  await maintainLog(db);
  await log.record(named('still recording'));

  const left = await partitions();
  expect(left).not.toContain(monthOf(daysAgo(190)));
  expect(left).toContain(monthOf(new Date()));
  expect(namesOf((await log.read()).events)).toEqual(['still recording']);
});

test('keeps a month while one organization needs it', async () => {
  const keeper = await newOrganization(log.database);
  await startThen(keeper);
  await recordThen(150, 'kept forever', keeper);
  await recordThen(150, 'given up');
  await keepFor(30);

  await maintainLog(db);

  expect(await partitions()).toContain(monthOf(daysAgo(150)));
  expect(await storedNames(log.database, keeper)).toEqual(['kept forever']);
});

test('creates the partitions of the coming months once', async () => {
  const before = await partitions();
  const nextQuarter = new Date();
  nextQuarter.setUTCMonth(nextQuarter.getUTCMonth() + 3, 1);

  await maintainLog(db);

  expect(before).toContain(monthOf(nextQuarter));
  expect((await partitions()).at(-1)).toBe(before.at(-1));
});

test('creates partitions for a log whose clock ran ahead', async () => {
  await setTimes(db, 'event_head', { last_ingested_at: '80 days ahead' }, { org_id: org });
  await maintainLog(db);

  await transaction(within(db, org), (tx) => recordEvents(tx, [named('ahead')]));

  expect(namesOf((await log.read({}, org)).events)).toEqual(['ahead']);
  const ahead = new Date(Date.now() + 80 * DAY);
  ahead.setUTCMonth(ahead.getUTCMonth() + 3, 1);
  expect(await partitions()).toContain(monthOf(ahead));
});

test('finds the past partitions even if the plan looks at the names of all tables', async () => {
  const past = await pastPartitions(db);
  expect(past).not.toEqual([]);
  await transaction(db, async (tx) => {
    await sql`set local enable_nestloop = off`.execute(tx);
    expect(await pastPartitions(tx)).toEqual(past);
  });
});
