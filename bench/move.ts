import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { openDatabase } from '../packages/server/src/kit/database/open.ts';
import { parseSecretKey, type SecretKey } from '../packages/server/src/kit/secrets/secret-key.ts';
import { moveToPostgres } from '../packages/server/src/operate/move/move.ts';
import { listTables, type Table } from '../packages/server/src/operate/move/queries/catalog.ts';
import { copyIn, copyOut } from '../packages/server/src/operate/move/queries/copy.ts';
import { accounts as accountsOf, addApp, fullSync } from './kit/apps.ts';
import { timed } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { connect, DURABLE, makeFolder, SECRET_KEY, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `move`: `gatehouse-server move` after a sync. The floor copies the moved rows from one PostgreSQL to another, into tables
 * without indexes, and compares nothing.
 */
export async function run({ large }: Options, use: Use) {
  const size = large ? 100_000 : 10_000;
  const { folder } = await use(makeFolder());
  await fill(folder, size);
  const { url, client } = await use(startDatabase(DURABLE));
  await client.query('create database moved');
  await client.query('create database floor');
  const [moved, floor] = ['moved', 'floor'].map((name) => new URL(`/${name}`, url).href) as [string, string];
  const keys = { current: parseSecretKey(SECRET_KEY) as SecretKey, old: [] };
  const started = performance.now();
  const steps: [step: string, at: number][] = [];
  const note = (step: string) => void steps.push([step, performance.now() - started]);
  const { rows, bytes } = await moveToPostgres({ dataDir: folder, url: moved, keys, note });
  const seconds = (performance.now() - started) / 1000;
  const least = (await copyAgain(moved, floor)) / 1000;
  for (const [step, at] of steps) console.log(`${(at / 1000).toFixed(1)} s: ${step}`);
  printTable(
    `${rows} rows, ${(bytes / 1e6).toFixed(0)} MB, of ${size} accounts`,
    ['', 'seconds', 'rows/s', 'MB/s'],
    [
      ['move', seconds, rows / seconds, bytes / 1e6 / seconds],
      ['floor', least, rows / least, bytes / 1e6 / least],
    ],
  );
}

/** Fills the embedded database, and stops its server. */
async function fill(folder: string, size: number): Promise<void> {
  const service = await startService({ folder }, { GATEHOUSE_SECRET_KEY: SECRET_KEY });
  try {
    await fullSync(service, await addApp(service), accountsOf(size));
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

async function copyAgain(from: string, to: string): Promise<number> {
  const source = await connect(from);
  const target = await connect(to);
  const database = await openDatabase({ url: from });
  const tables = (await listTables(database.db)).filter(({ pages }) => pages > 0);
  await database.close();
  for (const schema of ['staging', 'pgboss']) await target.query(`create schema ${schema}`);
  for (const table of tables) await target.query(await definitionOf(source, table));
  const elapsed = await timed(async () => {
    await target.query('begin');
    for (const table of tables)
      await pipeline(source.query(copyTo(copyOut(table))), target.query(copyFrom(copyIn(table))));
    await target.query('commit');
  });
  await source.end();
  await target.end();
  return elapsed;
}

/** Returns the statement that creates a table with the copied columns. */
async function definitionOf(source: Client, { name, columns }: Table): Promise<string> {
  const { rows } = await source.query(
    `select quote_ident(attname) as name, replace(format_type(atttypid, atttypmod), 'pgboss.job_state', 'text') as type
    from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [name],
  );
  const wanted = rows.filter((column) => columns.includes(column.name));
  return `create table ${name} (${wanted.map((column) => `${column.name} ${column.type}`).join(', ')})`;
}
