import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Account, account, accounts as accountsOf, addApp, fullSync } from './kit/apps.ts';
import type { Options, Use } from './kit/options.ts';
import {
  cpuSeconds,
  DURABLE,
  postmasterOf,
  type Service,
  startDatabase,
  startService,
} from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `sync`: accounts with two group references each, pushed through HTTP in pages of 100 by 4 pushers, on
 * PostgreSQL with synchronous_commit = on: 100,000, or 1,000,000 with `--large`. Floors: COPY of the same rows in the same run, without
 * foreign keys and triggers, into tables with the same keys and indexes, and into tables with only the primary keys. With `--statements`,
 * it prints which statements took longest.
 */
export async function run({ large, statements }: Options, use: Use) {
  const tracking = [
    'shared_preload_libraries=pg_stat_statements',
    'pg_stat_statements.track=all',
    'pg_stat_statements.track_planning=on',
  ];
  const database = await use(startDatabase([...DURABLE, ...(statements ? tracking : [])]));
  const service = await use(startService(database.url));
  await measure(service, database.client, large ? 1_000_000 : 100_000, statements);
}

async function measure(service: Service, client: pg.Client, size: number, statements: boolean) {
  if (statements) await client.query('create extension pg_stat_statements');
  const postmaster = await postmasterOf(client);
  const accounts = accountsOf(size);
  const bare = await copyFloor(client, accounts, true);
  const beforeFloor = await cpuSeconds(postmaster);
  const floor = await copyFloor(client, accounts, false);
  const floorCpu = (await cpuSeconds(postmaster)) - beforeFloor;
  console.log(
    `floors: COPY of ${size} accounts and ${2 * size} memberships took ${seconds(floor)}, ${seconds(floorCpu)} of CPU in PostgreSQL, and ${seconds(bare)} with only the primary keys`,
  );

  const appId = await addApp(service);

  const rows: (string | number)[][] = [];
  const sync = async (name: string, records: Account[], app = appId) => {
    if (statements) await client.query('select pg_stat_statements_reset()');
    const cpuBefore = [await cpuSeconds(postmaster), await service.cpuSeconds()] as const;
    const result = await fullSync(service, app, records);
    const postgresCpu = (await cpuSeconds(postmaster)) - cpuBefore[0];
    const serverCpu = (await service.cpuSeconds()) - cpuBefore[1];
    const total = result.push + result.publish;
    rows.push([
      name,
      records.length / total,
      floor / total,
      bare / total,
      result.push,
      result.publish,
      result.firstTenth,
      result.lastTenth,
      postgresCpu,
      floorCpu / postgresCpu,
      serverCpu,
      result.clientCpu,
    ]);
    if (statements) await printStatements(client, name);
    return result;
  };

  await sync('first sync', accounts);
  const before = await tableWrites(client);
  await sync('unchanged re-sync', accounts);
  const after = await tableWrites(client);
  const changed = accounts
    .filter((_, index) => index % 100 !== 1)
    .map((record, index) => (index % 100 === 0 ? account(Number(record.id.slice(1)), 1) : record));
  await sync('1 % changed, 1 % gone', changed);
  await addPeople(client, accounts);
  await sync('first sync, with people', accounts, await addApp(service));

  printTable(
    `sync of ${size} accounts, 4 pushers; ratio = floor time / our time (aims: first 0.6, or 0.25 of the bare floor; unchanged 2.0)`,
    [
      '',
      'accounts/s',
      'ratio',
      'to bare COPY',
      'push s',
      'publish s',
      'first 10 % pages/s',
      'last 10 % pages/s',
      'CPU s of PostgreSQL',
      'its ratio',
      'of the server',
      'of the pushers',
    ],
    rows,
  );
  const rate = (time: number) => `${Math.round(size / time).toLocaleString('en-US')} accounts/s`;
  console.log(`floors: ${rate(floor)}; ${rate(bare)} with only the primary keys`);
  console.log(
    `rows written to live tables by the unchanged re-sync (pg_stat_user_tables): ${after - before}`,
  );
  await service.printPeakMemory(' (aim: 200)');
}

/** Prints the statements that took longest. Those of functions and of `create table as` are listed in the ones that contain them, too. */
async function printStatements(client: pg.Client, name: string) {
  const { rows } = await client.query<{
    ms: number;
    planning: number;
    calls: number;
    wal: number;
    query: string;
  }>(`
    select total_exec_time as ms, total_plan_time as planning, calls::float8 as calls, wal_bytes::float8 / 1e6 as wal,
      left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as query
    from pg_stat_statements where query not like '%pg_stat_statements%' and total_exec_time + total_plan_time >= 5
    order by total_exec_time + total_plan_time desc limit 40`);
  const cells = rows.map(({ ms, planning, calls, wal, query }) => ['', ms, planning, calls, wal, query]);
  printTable(`statements of: ${name}`, ['', 'ms', 'planning ms', 'calls', 'MB of WAL', 'statement'], cells);
}

/** Adds a person for each account, with its email. */
async function addPeople(client: pg.Client, accounts: Account[]) {
  await client.query(
    `insert into platform_user (org_id, email, username, first_name, last_name, role, status)
    select o.id, email, email, 'First', 'Last', 'member', 'active' from organization o, unnest($1::text[]) email`,
    [accounts.map(({ email }) => email)],
  );
  await client.query('analyze platform_user');
}

/**
 * Seconds that COPY needs for the same rows, committed durably; the tables are gone afterwards. They have our keys and indexes,
 * or only the primary keys if `bare`.
 */
async function copyFloor(client: pg.Client, accounts: Account[], bare: boolean): Promise<number> {
  const like = bare ? 'including defaults' : 'including all';
  await client.query(`
    create table floor_account (like account ${like});
    create table floor_membership (like membership ${like});`);
  if (bare)
    await client.query(`
      alter table floor_account add primary key (org_id, id);
      alter table floor_membership add primary key (org_id, account_id, entitlement_id);`);
  const org = '00000000-0000-7000-8000-000000000001';
  const uuid = (kind: number, index: number) =>
    `00000000-0000-7000-8000-${String(kind * 1e9 + index).padStart(12, '0')}`;
  const lines = accounts.map(
    (a, index) =>
      `${org}\t${uuid(1, index)}\t${uuid(3, 0)}\t${uuid(4, 0)}\t${a.id}\t${a.email}\t${a.username}\t${a.first_name}\t${a.last_name}\t${a.display_name}\tACTIVE\n`,
  );
  const links = accounts.flatMap((a, index) =>
    a.memberships.group.map(({ id }) => `${org}\t${uuid(1, index)}\t${uuid(2, Number(id.slice(1)))}\n`),
  );
  const started = performance.now();
  await client.query('begin');
  await copy(
    client,
    'floor_account (org_id, id, app_id, resource_type_id, external_id, email, username, first_name, last_name, display_name, status)',
    lines,
  );
  await copy(client, 'floor_membership (org_id, account_id, entitlement_id)', links);
  await client.query('commit');
  const taken = (performance.now() - started) / 1000;
  await client.query('drop table floor_account, floor_membership');
  return taken;
}

const copy = (client: pg.Client, target: string, lines: string[]) =>
  pipeline(Readable.from(chunks(lines)), client.query(copyFrom(`copy ${target} from stdin`)));

function* chunks(lines: string[]) {
  for (let start = 0; start < lines.length; start += 1000) yield lines.slice(start, start + 1000).join('');
}

/** Rows inserted into, updated and deleted in the live tables so far. */
async function tableWrites(client: pg.Client): Promise<number> {
  // A backend tells its figures a second after its last transaction at the latest.
  await new Promise((wake) => setTimeout(wake, 2500));
  const { rows } = await client.query<{ n: string }>(`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::text as n from pg_stat_user_tables
    where relname in ('account', 'entitlement', 'membership')`);
  return Number(rows[0]?.n);
}

const seconds = (value: number) => `${value.toFixed(2)} s`;
