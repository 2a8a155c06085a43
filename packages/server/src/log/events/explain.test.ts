import type { Kysely } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { transaction, within, withLiterals } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { openTestLog } from '#test/event-log.ts';
import { EVENT_TYPES } from './catalog.ts';
import { type Filters, selectionOf } from './filters.ts';
import { jsonObject } from './json-facts.ts';
import { countStatement } from './queries/histogram.ts';
import { pageStatement, type Range } from './queries/page.ts';
import { recordEventsFrom } from './record.ts';

/**
 * Checks the query plans of all filters: no sequential scan, no sort of the log, and no more rows than a page needs,
 * however long the log is. The plans are the generic plans of prepared statements. The limit does not cover masses of
 * events that were recorded hours after they occurred: `occurred_at__lte` may walk through them.
 */
const { database, orgId, close } = await openTestLog();
afterAll(close);

const EVENTS = 12_000;
const LIMIT = 5;
/** The most rows that a page may touch: a page of each type, or of each class of lag and of the rest. */
const MOST_ROWS = EVENT_TYPES.length * (LIMIT + 1);

const actor = '0199a000-0000-4000-8000-000000000001';
const rare = '0199a000-0000-4000-8000-000000000002';
await transaction(within(database.db, orgId), (tx) =>
  recordEventsFrom(
    tx,
    sql`
      select case when i = ${EVENTS}::integer then 'sync.reverted' when i > ${EVENTS / 2}::integer then 'policy.updated' when i > 10 and i % 20 = 0 then 'app.sync.started' when i = 1 then 'session.ip_blocked' when i % 2 = 0 then 'api_key.used' else 'app.created' end as event_type,
        case when i % 10 = 0 then now() - interval '30 seconds' end as occurred_at,
        ${jsonObject({
          type: sql`'user'::text`,
          uuid: sql`case when i = 2 then ${rare} else ${actor} end`,
          ip: sql`case when i = 3 then '192.0.2.9' else '192.0.2.1' end`,
        })} as actor,
        'system' as subject_type, case when i = 4 then ${rare} else ${actor} end::uuid as subject_uuid,
        'system' as source_type, null::uuid as source_uuid,
        ${jsonObject({ sync_id: sql`case when i < 20 then ${rare} else ${actor} end` })} as payload
      from generate_series(1, ${EVENTS}::integer) i order by i`,
  ),
);
await sql`vacuum analyze`.execute(database.db);

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
  /** On a cluster: what runs on the worker. */
  'Distributed Query'?: { Job: { Tasks: [{ 'Remote Plan': [[Explained]] }] } };
}

interface Explained {
  Plan: Node;
}

/** Runs EXPLAIN and returns the plan nodes that ran. */
async function explained(db: Kysely<object>, statement: RawBuilder<unknown>): Promise<Node[]> {
  const { rows } = await sql<{
    'QUERY PLAN': [Explained];
  }>`explain (analyze, format json) ${statement}`.execute(db);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  return flatten(plan?.['Distributed Query']?.Job.Tasks[0]['Remote Plan'][0][0].Plan ?? plan);
}

async function planOf(filters: Filters, range: Range): Promise<Node[]> {
  const { text, values } = pageStatement({ orgId, keyId: null }, selectionOf(filters), range);
  const literal = (value: unknown): string => {
    if (value === null) return 'null';
    return Array.isArray(value) ? `array[${value.map(literal).join(', ')}]` : `'${String(value)}'`;
  };
  // A cluster plans each statement with its values.
  if (database.engine === 'citus') return explained(database.db, sql.raw(withLiterals(text, values)));
  return database.db.connection().execute(async (connection) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
    await sql.raw(`prepare page as ${text}`).execute(connection);
    try {
      return await explained(connection, sql.raw(`execute page(${values.map(literal).join(', ')})`));
    } finally {
      await sql`deallocate page`.execute(connection);
      await sql`reset plan_cache_mode`.execute(connection);
    }
  });
}

/** Returns the plan nodes that ran. */
const flatten = (node: Node | undefined): Node[] =>
  node === undefined || node['Actual Loops'] === 0 ? [] : [node, ...(node.Plans ?? []).flatMap(flatten)];

const isOfTheLog = ({ 'Relation Name': relation }: Node) =>
  /^event_(\d{4}_\d\d|configuration)(_\d+)?$/.test(relation ?? '');

const touched = ({
  'Actual Rows': rows,
  'Actual Loops': loops,
  'Rows Removed by Filter': removed = 0,
}: Node) => (rows + removed) * loops;

const later = new Date(Date.now() + 86_400_000).toISOString();
const past = new Date(Date.now() - 86_400_000 * 365).toISOString();
const single: [string, Filters][] = [
  ['no filter', {}],
  ['catalog=configuration', { catalog: 'configuration' }],
  ['catalog=all', { catalog: 'all' }],
  ['catalog=all, with a severity', { catalog: 'all', severity: 'info' }],
  ['catalog=all, with an actor', { catalog: 'all', actor_uuid: actor }],
  ['catalog=all, with a time', { catalog: 'all', occurred_at__lte: later }],
  ['category=configuration', { category: 'configuration' }],
  ['a type of the second catalog', { event_type: 'policy.updated' }],
  ['event_type', { event_type: 'app.created' }],
  ['a rare event_type', { event_type: 'session.ip_blocked' }],
  ['an event_type that matches nothing', { event_type: 'user.deleted' }],
  ['event_type_prefix', { event_type_prefix: 'api_key.' }],
  ['an event_type_prefix that matches nothing', { event_type_prefix: 'warp.' }],
  ['category', { category: 'authentication' }],
  ['a category that matches nothing', { category: 'task' }],
  ['severity', { severity: 'info' }],
  ['a severity that matches nothing', { severity: 'high' }],
  ['every severity', { severity: 'critical,high,medium,low,info' }],
  ['occurred_at__gte', { occurred_at__gte: past }],
  ['an occurred_at__gte that matches nothing', { occurred_at__gte: later }],
  ['occurred_at__lte', { occurred_at__lte: later }],
  [
    'an occurred_at__lte that only late events match',
    { occurred_at__lte: new Date(Date.now() - 20_000).toISOString() },
  ],
  ['an occurred_at__lte that matches nothing', { occurred_at__lte: past }],
  ['actor_uuid', { actor_uuid: actor }],
  ['a rare actor_uuid', { actor_uuid: rare }],
  ['an actor_uuid that matches nothing', { actor_uuid: '0199a000-0000-4000-8000-00000000000f' }],
  ['subject_uuid', { subject_uuid: actor }],
  ['a rare subject_uuid', { subject_uuid: rare }],
  ['a subject_uuid that matches nothing', { subject_uuid: '0199a000-0000-4000-8000-00000000000f' }],
  ['actor_ip', { actor_ip: '192.0.2.1' }],
  ['a rare actor_ip', { actor_ip: '192.0.2.9' }],
  ['an actor_ip that matches nothing', { actor_ip: '203.0.113.1' }],
  ['sync_uuid', { sync_uuid: actor }],
  ['a rare sync_uuid', { sync_uuid: rare }],
  ['a sync_uuid that matches nothing', { sync_uuid: '0199a000-0000-4000-8000-00000000000f' }],
];
const ranges: [string, Range][] = [
  ['the first page', { after: 0, before: null, limit: LIMIT, from: 'top' }],
  ['a page deep in the log', { after: 0, before: Date.now() * 1000 - 1_000_000, limit: LIMIT, from: 'top' }],
  ['a page upwards', { after: 1, before: null, limit: LIMIT, from: 'bottom' }],
];

describe.each(single)('%s', (_filter, filters) => {
  test.each(ranges)('%s', async (_range, range) => {
    const nodes = await planOf(filters, range);

    const ofTheLog = nodes.filter(isOfTheLog);
    const sorts = nodes.filter((node) => node['Node Type'].includes('Sort'));
    expect(ofTheLog.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    // A cluster has no generic plans: it plans for the values, and may sort what they select from a log this short.
    if (database.engine === 'citus') return;
    expect(Math.max(0, ...ofTheLog.map(touched))).toBeLessThanOrEqual(MOST_ROWS);
    expect(Math.max(0, ...sorts.flatMap((sort) => (sort.Plans ?? []).map(touched)))).toBeLessThanOrEqual(
      MOST_ROWS,
    );
  });
});

test('counting a range does not read the events after it', async () => {
  const { db, engine } = database;
  // Settings do not reach the workers of a cluster.
  if (engine === 'citus') return;
  const { rows } = await sql<{ from: Date }>`
    select min(ingested_at) as from from event_contract where org_id = ${orgId}`.execute(db);
  const from = rows[0]?.from as Date;
  const range = { from, to: from, retainedFrom: null };
  const { text, values } = countStatement({ orgId }, selectionOf({}), range, 60, 200_000);
  const nodes = await transaction(db, async (tx) => {
    // The log of this test is so short that reading all of it would be faster.
    await sql`set local enable_seqscan = off`.execute(tx);
    return explained(tx, sql.raw(withLiterals(text, values)));
  });
  // The events occur in 3 of the 6 milliseconds in which they were recorded, and a tenth of them was recorded late.
  expect(nodes.filter(isOfTheLog).reduce((sum, node) => sum + touched(node), 0)).toBeLessThan(EVENTS / 3);
});

test('the measurement detects a scan of the log', async () => {
  const nodes = await explained(
    database.db,
    sql`select body from event where org_id = ${orgId} order by body limit 5`,
  );

  expect(nodes.filter(isOfTheLog).some((node) => node['Node Type'] === 'Seq Scan')).toBe(true);
  expect(nodes.filter(isOfTheLog).reduce((sum, node) => sum + touched(node), 0)).toBe(EVENTS);
});
