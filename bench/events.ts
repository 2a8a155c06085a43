import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Database, openDatabase } from '../packages/server/src/kit/database/open.ts';
import { type OrgDb, within } from '../packages/server/src/kit/database/organization.ts';
import { statementName } from '../packages/server/src/kit/database/statement-name.ts';
import { transaction } from '../packages/server/src/kit/database/transaction.ts';
import { TYPES_OF_CATALOG } from '../packages/server/src/log/events/catalog.ts';
import { type Filters, selectionOf } from '../packages/server/src/log/events/filters.ts';
import { jsonObject } from '../packages/server/src/log/events/json-facts.ts';
import { pageStatement } from '../packages/server/src/log/events/queries/page.ts';
import { type NewEvent, recordEvents, recordEventsFrom } from '../packages/server/src/log/events/record.ts';
import { inParallel, median, timed, timesOf } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { connectAll, DURABLE, KEY, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `events`: recording events for one organization, reading 200 events at a time through HTTP, and the latency of
 * each filter in a short and in a long log. Floors for reading: the same statement through `pg` alone, and through a server that does
 * nothing else (plain-pages.ts). Floor for recording: one row,
 * which the same number of clients update in transactions of their own, so that they also commit one after the other.
 */
const CLIENTS = 8;
const ROUNDS = 4;
const SECONDS = 2;
const SHORT = 10_000;
const LONG = 1_000_000;
const SAMPLES = 100;
const WRITERS = 16;

export async function run(_: Options, use: Use) {
  const postgres = await use(startDatabase([...DURABLE, 'shared_buffers=512MB']));
  const service = await use(startService(postgres.url));
  const database = await openDatabase({ url: postgres.url, poolSize: 16 });
  await measure(service, database, postgres.url).finally(database.close);
}

async function measure(service: Service, database: Database, url: string) {
  const { rows } = await sql<{
    org: string;
    key: string;
  }>`select org_id as org, id as key from api_key`.execute(database.db);
  const { org = '', key = '' } = rows[0] ?? {};

  await fill(within(database.db, org), SHORT);
  const short = await latencies(service, database);
  await fill(within(database.db, org), LONG - SHORT);
  const long = await latencies(service, database);
  printTable(
    `200 events, median ms through HTTP, one client`,
    ['filter', `${SHORT} events`, `${LONG} events`, 'ratio'],
    [...short].map(([name, ms]) => [name, ms, long.get(name) ?? 0, (long.get(name) ?? 0) / ms]),
  );

  const rate: (string | number)[][] = [];
  for (const [name, filters] of Object.entries(await throughputCases(database))) {
    const { http, plain, floor } = await rates(service, url, { orgId: org, keyId: key }, filters);
    rate.push([name, http, plain, floor, http / plain, http / floor]);
  }
  printTable(
    `requests for 200 events per second, ${CLIENTS} clients`,
    ['filter', 'HTTP', 'plain HTTP', 'statement', 'ratio to plain', 'to statement'],
    rate,
  );

  printTable(
    'recording for one organization',
    ['method', 'events/s', 'transactions/s'],
    await recording(within(database.db, org), url),
  );
}

// Reading ---------------------------------------------------------------------------------------------------------

async function filterCases({ db }: Database): Promise<Record<string, Filters>> {
  const { rows } = await sql<{ actor: string; subject: string; ip: string; at: Date }>`
    select actor_uuid as actor, subject_uuid as subject, actor_ip as ip, ingested_at as at from event
    where actor_ip is not null order by position limit 1 offset 5000`.execute(db);
  const { actor = '', subject = '', ip = '', at = new Date() } = rows[0] ?? {};
  const unknown = randomUUID();
  return {
    none: {},
    'catalog=all': { catalog: 'all' },
    event_type: { event_type: 'account.provisioned' },
    'event_type, nothing': { event_type: 'user.deleted' },
    event_type_prefix: { event_type_prefix: 'app.sync.' },
    'event_type_prefix, nothing': { event_type_prefix: 'nothing.' },
    category: { category: 'task' },
    severity: { severity: 'high,critical' },
    'severity, most types': { severity: 'info' },
    occurred_at__gte: { occurred_at__gte: '2020-01-01T00:00:00Z' },
    'occurred_at__gte, nothing': { occurred_at__gte: '2099-01-01T00:00:00Z' },
    occurred_at__lte: { occurred_at__lte: at.toISOString() },
    'occurred_at__lte, nothing': { occurred_at__lte: '2020-01-01T00:00:00Z' },
    actor_uuid: { actor_uuid: actor },
    'actor_uuid, nothing': { actor_uuid: unknown },
    subject_uuid: { subject_uuid: subject },
    'subject_uuid, nothing': { subject_uuid: unknown },
    actor_ip: { actor_ip: ip },
    'actor_ip, nothing': { actor_ip: '203.0.113.99' },
  };
}

async function throughputCases(database: Database): Promise<Record<string, Filters>> {
  const { none = {}, event_type = {}, category = {} } = await filterCases(database);
  return { none, event_type, category };
}

/** Returns the median latency of each filter. The first 100 requests warm up, until PostgreSQL has settled on a plan. */
async function latencies(service: Service, database: Database): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latencyOf = new Map<string, number>();
  for (const [name, filters] of Object.entries(await filterCases(database))) {
    const times = await timesOf(SAMPLES, () => fetchPage(service, agent, filters), 100);
    latencyOf.set(name, median(times));
  }
  agent.destroy();
  return latencyOf;
}

/**
 * Returns the requests per second through HTTP, and the floors: a plain server, and the same statement over as many connections. They
 * are measured alternately, so that other load on the machine affects them equally.
 */
async function rates(
  service: Service,
  url: string,
  reader: { orgId: string; keyId: string },
  filters: Filters,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const clients = await connectAll(CLIENTS, url);
  const range = { after: 0, before: null, limit: 200, from: 'top' } as const;
  const { text, values } = pageStatement(reader, selectionOf(filters), range);
  const statement = { name: statementName(text), text, values };
  const plain = await startPlainPages(url, statement);
  const total = { http: 0, plain: 0, floor: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    total.http += await perSecond(CLIENTS, () => fetchPage(service, agent, filters));
    total.plain += await perSecond(CLIENTS, () => fetchPage(plain, agent, filters));
    total.floor += await perSecond(CLIENTS, (client) => (clients[client] as pg.Client).query(statement));
  }
  agent.destroy();
  plain.stop();
  await clients.end();
  return { http: total.http / ROUNDS, plain: total.plain / ROUNDS, floor: total.floor / ROUNDS };
}

/** Starts a server that does nothing but to run the statement, with as many connections as the service has for it. */
async function startPlainPages(url: string, statement: pg.QueryConfig) {
  const child = fork(new URL('./plain-pages.ts', import.meta.url), {
    env: { ...process.env, PLAIN_PAGES: JSON.stringify({ url, statement, connections: 5 }) },
  });
  const [port] = (await once(child, 'message')) as [number];
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

/** Reads a response without parsing it, as a log forwarder does. */
function fetchPage({ baseUrl }: Pick<Service, 'baseUrl'>, agent: Agent, filters: Filters): Promise<void> {
  const query = new URLSearchParams({ limit: '200', ...filters });
  return new Promise((done, fail) => {
    get(
      `${baseUrl}/api/events/?${query}`,
      { agent, headers: { authorization: `Api-Key ${KEY}` } },
      (response) => {
        if (response.statusCode !== 200) fail(new Error(`The service returned ${response.statusCode}.`));
        response.resume().on('end', done);
      },
    ).on('error', fail);
  });
}

/** Runs `work` in that many loops at the same time. Returns the runs per second, after half a second of warm-up. */
async function perSecond(clients: number, work: (client: number) => Promise<unknown>): Promise<number> {
  const start = performance.now() + 500;
  const end = start + SECONDS * 1000;
  let count = 0;
  await inParallel(clients, async (client) => {
    while (performance.now() < end) {
      await work(client);
      if (performance.now() > start) count++;
    }
  });
  return count / SECONDS;
}

// Writing ---------------------------------------------------------------------------------------------------------

async function recording(org: OrgDb, url: string): Promise<(string | number)[][]> {
  const inTransactionsOf = async (size: number, writers: number) => {
    const events = Array.from({ length: size }, (_, index) => sample(index));
    return perSecond(writers, () => transaction(org, (tx) => recordEvents(tx, events)));
  };
  const small = await inTransactionsOf(5, WRITERS);
  const single = await inTransactionsOf(1, WRITERS);
  const flushed = await oneRowUpdated(url, 'on');
  const unflushed = await oneRowUpdated(url, 'off');
  const batched = await inTransactionsOf(500, 2);
  const set = 1e8 / (await timed(() => fill(org, 100_000)));
  await sql`create table floor (like event_contract including all)`.execute(org);
  const copy = sql`insert into floor select * from event order by ingested_at desc limit 100000`;
  const floor = 1e8 / (await timed(() => copy.execute(org)));
  return [
    [`transactions of 1 event, ${WRITERS} writers`, single, single],
    [`transactions of 5 events, ${WRITERS} writers`, small * 5, small],
    [`floor: one row, ${WRITERS} clients`, '-', flushed],
    [`floor: one row, ${WRITERS} clients, without waiting for the disk`, '-', unflushed],
    ['transactions of 500 events, 2 writers', batched * 500, batched],
    ['a sync: 50,000 events from SQL in one statement', set, '-'],
    ['floor: insert ... select of the same rows, same indexes', floor, '-'],
  ];
}

/** Returns how often clients can update the same row in a second. */
async function oneRowUpdated(url: string, synchronousCommit: 'on' | 'off'): Promise<number> {
  const clients = await connectAll(WRITERS, url, `-c synchronous_commit=${synchronousCommit}`);
  const first = clients[0] as pg.Client;
  await first.query('create table counter as select 0 as n');
  const update = { name: 'update', text: 'update counter set n = n + 1' };
  const rate = await perSecond(WRITERS, (client) => (clients[client] as pg.Client).query(update));
  await first.query('drop table counter');
  await clients.end();
  return rate;
}

const sample = (index: number): NewEvent => ({
  type: 'account.suspended',
  actor: { type: 'user', uuid: '0199a000-0000-7000-8000-000000000001', ip: '192.0.2.1', user_agent: 'bench' },
  subject: { type: 'app_user', uuid: '0199a000-0000-7000-8000-000000000002' },
  source: { type: 'user_action', uuid: null },
  payload: {
    app_id: '0199a000-0000-7000-8000-000000000003',
    app_name: 'Payroll',
    account_id: '0199a000-0000-7000-8000-000000000002',
    email: `user${index}@example.com`,
    status: 'SUSPENDED',
    previous_status: 'ACTIVE',
  },
});

/** Records events of 40 types by 40 actors on 30 subjects, 800 bytes each. Even a short log has enough of each. */
async function fill(org: OrgDb, count: number) {
  const types = TYPES_OF_CATALOG.contract.filter(
    (type) => type !== 'user.deleted' && type !== 'user.updated',
  );
  for (let done = 0; done < count; done += 50_000) {
    const rows = sql`
      select (${types}::text[])[1 + (i::bigint * i + i / 7) % ${types.length}] as event_type, null::timestamptz as occurred_at,
        ${jsonObject({
          type: sql`'user'::text`,
          uuid: sql`md5('actor' || i % 40)::uuid`,
          ip: sql`'10.0.0.' || i % 40`,
          user_agent: sql`'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'::text`,
        })} as actor,
        'app_user' as subject_type, md5('subject' || i % 30)::uuid as subject_uuid,
        'sync' as source_type, md5('sync')::uuid as source_uuid,
        ${jsonObject({
          app_id: sql`md5('app')::uuid`,
          app_name: sql`'Payroll'::text`,
          account_id: sql`md5('subject' || i % 30)::uuid`,
          email: sql`'user' || i || '@example.com'`,
          status: sql`'ACTIVE'::text`,
          previous_status: sql`'INVITED'::text`,
        })} as payload
      from generate_series(${done + 1}::integer, ${Math.min(done + 50_000, count)}::integer) i`;
    await transaction(org, (tx) => recordEventsFrom(tx, rows));
  }
  // Otherwise the service would work through these events while it is measured.
  await sql`
    update notification_cursor c set read_to = h.last_ingested_at from event_head h
    where h.org_id = ${org.orgId} and c.org_id = h.org_id`.execute(org);
  await sql`vacuum analyze event`.execute(org);
}
