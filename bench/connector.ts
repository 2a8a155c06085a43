import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { addApp } from './kit/apps.ts';
import type { Options, Use } from './kit/options.ts';
import {
  connect,
  cpuSeconds,
  KEY,
  makeFolder,
  peakMemory,
  type Service,
  startDatabase,
  startService,
} from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `connector`: 100,000 operators of PeopleSoft with two roles each (`--large`: 1,000,000), read from PostgreSQL by the
 * SQL connector and synced to Gatehouse. Floor: the driver alone reads the same rows in the same pages and does nothing with them.
 * The tables are those of `peoplesoft-test.yml`, an example of baton-sql. With a folder that has this file in
 * BATON_SQL_EXAMPLES, the connector runs with it instead of connector.yml; only its DSN is replaced.
 */
const CONNECTOR = fileURLToPath(new URL('../connectors/sql/connector.ts', import.meta.url));
const OWN = fileURLToPath(new URL('./connector.yml', import.meta.url));
const DATABASE = 'peoplesoft';
const ROLES = 200;
const PAGE = 1000;

export async function run({ large }: Options, use: Use) {
  const size = large ? 1_000_000 : 100_000;
  const database = await use(startDatabase(['max_wal_size=8GB']));
  const { folder } = await use(makeFolder());
  const source = await fill(database.client, database.url, size);
  const service = await use(startService(database.url));
  await measure({ source, service, folder, size, client: database.client });
}

type Bench = { source: URL; service: Service; folder: string; size: number; client: pg.Client };

async function measure(bench: Bench) {
  const { service, size } = bench;
  const floor = await readWithDriver(bench);
  const environment = await environmentOf(bench, await addApp(service, 'PeopleSoft', {}));
  const rows: (string | number)[][] = [['driver alone', floor, size / floor, 1, '', '', '', '', '']];
  const measured = async (name: string, args: string[]) => {
    const { seconds, peak, cpu, output } = await runConnector(args, environment);
    const { push, publish } = args[0] === 'sync' ? await phasesOf(bench) : {};
    rows.push([
      name,
      seconds,
      size / seconds,
      floor / seconds,
      peak / 1e6,
      cpu,
      push ?? '',
      publish ?? '',
      push === undefined ? '' : size / push,
    ]);
    return output;
  };
  await measured('list', ['list']);
  // With a million operators, a single sync takes minutes.
  for (const name of size > 100_000 ? ['first sync'] : ['first sync', 'unchanged re-sync']) {
    const output = await measured(name, ['sync', '--json']);
    const { pushed } = JSON.parse(output) as { pushed: Record<string, number> };
    if (pushed.account !== size || pushed.role !== ROLES)
      throw new Error(`The ${name} pushed ${JSON.stringify(pushed)}.`);
  }
  printTable(
    `${size.toLocaleString('en-US')} operators with two of ${ROLES} roles each; ratio = floor time / our time`,
    [
      '',
      'seconds',
      'accounts/s',
      'ratio',
      'peak MB of the connector',
      'its CPU s',
      'push s',
      'publish s',
      'pushed accounts/s',
    ],
    rows,
  );
  await service.printPeakMemory();
}

/** Creates the tables of PeopleSoft and fills them. Returns the address of their database. */
async function fill(admin: pg.Client, url: string, size: number): Promise<URL> {
  await admin.query(`create database ${DATABASE}`);
  const source = new URL(url);
  source.pathname = `/${DATABASE}`;
  const client = await connect(source.href);
  const origins = ['ap', 'fs', 'gl', 'pm', 'vnd'].map((name) => `ps_opr_def_tbl_${name}`);
  await client.query(`
    create table psoprdefn (oprid varchar(30) primary key, useridalias varchar(70) not null, emplid varchar(11) not null,
      emailid varchar(70) not null, symbolicid varchar(8) not null, defaultnavhp varchar(30) not null,
      rowsecclass varchar(30) not null, prcsprflcls varchar(30) not null, oprclass varchar(30) not null);
    create table psroleuser (roleuser varchar(30) not null, rolename varchar(30) not null, primary key (rolename, roleuser));
    ${origins.map((name) => `create table ${name} (oprid varchar(30) primary key, origin varchar(3) not null);`).join('\n')}`);
  await client.query(
    `insert into psoprdefn select 'OP' || lpad(n::text, 8, '0'), 'operator.' || n, lpad(n::text, 11, '0'),
       'operator.' || n || '@acme.example', 'SYSADM1', '', 'SEC' || n % 40, 'PRC' || n % 7, 'CLS' || n % 90
     from generate_series(1, $1::int) n`,
    [size],
  );
  await client.query(
    `insert into psroleuser
       select 'OP' || lpad(n::text, 8, '0'), 'ROLE ' || lpad(((n * 7 + step * 131) % $2::int)::text, 4, '0')
       from generate_series(1, $1::int) n, generate_series(0, 1) step`,
    [size, ROLES],
  );
  for (const [at, name] of origins.entries())
    await client.query(
      `insert into ${name} select oprid, 'O' || $1 from psoprdefn where oprid like '%' || $1`,
      [String(at)],
    );
  await client.query('vacuum analyze');
  await client.end();
  return source;
}

/** Returns the seconds that the driver needs for the rows of all pages. */
async function readWithDriver({ source, size }: Bench): Promise<number> {
  const client = await connect(source.href);
  const readAll = async (query: string, key: string, ...given: string[]) => {
    let count = 0;
    for (let cursor = ''; ; ) {
      const { rows } = await client.query<Record<string, string>>(query, [cursor, ...given]);
      const last = rows.at(-1)?.[key];
      if (last === undefined) return count;
      count += rows.length;
      cursor = last;
    }
  };
  const started = performance.now();
  const { rows: roles } = await client.query<{ rolename: string }>(
    'select rolename from psroleuser group by rolename order by rolename',
  );
  let grants = 0;
  for (const { rolename } of roles)
    grants += await readAll(
      `select rolename, roleuser from psroleuser where rolename = $2 and roleuser > $1 order by roleuser limit ${PAGE}`,
      'roleuser',
      rolename,
    );
  const accounts = await readAll(
    `select o.oprid, o.useridalias, o.emplid, o.emailid, o.oprclass, ap.origin as aporigin, pm.origin as pmorigin
     from psoprdefn o left join ps_opr_def_tbl_ap ap on ap.oprid = o.oprid left join ps_opr_def_tbl_pm pm on pm.oprid = o.oprid
     where o.oprid > $1 order by o.oprid limit ${PAGE}`,
    'oprid',
  );
  const seconds = (performance.now() - started) / 1000;
  await client.end();
  if (accounts !== size || grants !== 2 * size || roles.length !== ROLES)
    throw new Error(`The driver read ${accounts} accounts and ${grants} grants.`);
  return seconds;
}

/** Returns the seconds from the start of the newest session to its completion, in which pages are read and pushed, and those of the rest. */
async function phasesOf({ client }: Bench): Promise<{ push: number; publish: number }> {
  const { rows } = await client.query<{ push: number; publish: number }>(
    `select extract(epoch from completing_at - started_at)::float as push,
       extract(epoch from finished_at - completing_at)::float as publish
     from sync_session order by started_at desc limit 1`,
  );
  const [session] = rows;
  if (session === undefined) throw new Error('There is no session.');
  return session;
}

async function environmentOf({ source, service, folder }: Bench, app: string) {
  const { BATON_SQL_EXAMPLES: theirs } = process.env;
  let definition = OWN;
  if (theirs) {
    const original = await readFile(join(theirs, 'peoplesoft-test.yml'), 'utf8');
    definition = join(folder, 'peoplesoft-test.yml');
    await writeFile(definition, original.replace(/dsn: .*/, `dsn: '${source.href}?sslmode=disable'`));
  }
  return {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    GATEHOUSE_URL: service.baseUrl,
    GATEHOUSE_API_KEY: KEY,
    GATEHOUSE_APP: app,
    GATEHOUSE_STATE_DIR: folder,
    SQL_DEFINITION: definition,
    SQL_DB_HOST: source.hostname,
    SQL_DB_PORT: source.port,
    SQL_DB_NAME: DATABASE,
    SQL_DB_USER: decodeURIComponent(source.username),
    SQL_DB_PASSWORD: decodeURIComponent(source.password),
  };
}

/** Runs a command of the connector as its own process, as an administrator would. */
async function runConnector(args: string[], env: NodeJS.ProcessEnv) {
  const started = performance.now();
  const child = spawn(process.execPath, [CONNECTOR, ...args], {
    env,
    // A million records are of no interest here.
    stdio: ['ignore', args[0] === 'list' ? 'ignore' : 'pipe', 'inherit'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('The connector did not start.');
  let peak = 0;
  let cpu = 0;
  // The figures are lost when the process exits.
  const watch = setInterval(async () => {
    peak = Math.max(peak, await peakMemory(pid).catch(() => 0));
    cpu = await cpuSeconds(pid).catch(() => cpu);
  }, 50);
  const output = child.stdout ? text(child.stdout) : Promise.resolve('');
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`The connector ended with ${code}.`);
  return { seconds: (performance.now() - started) / 1000, peak, cpu, output: await output };
}
