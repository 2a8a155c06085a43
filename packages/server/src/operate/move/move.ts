import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { analyze } from '#kit/database/analyze.ts';
import { migrate, pendingMigrations } from '#kit/database/migrate.ts';
import { markMoved, movedFile, unmarkMoved } from '#kit/database/moved-folder.ts';
import { inOneTransaction, type OneTransaction, UnknownOutcome } from '#kit/database/one-transaction.ts';
import { type EmbeddedDatabase, openEmbedded } from '#kit/database/pglite.ts';
import { EMBEDDED } from '#kit/database/private-folder.ts';
import { isLockTimeout } from '#kit/database/sqlstate.ts';
import { requireDataFolder } from '#kit/database/whole-folder.ts';
import type { Db } from '#kit/database.ts';
import { StartError } from '#kit/errors.ts';
import { jobTables } from '#kit/jobs/construction.ts';
import type { SecretKeys } from '#kit/secrets/secret-key.ts';
import { requireSecretKeys } from '#kit/secrets/secrets.ts';
import { continueElsewhere } from '#log/events/log.ts';
import * as catalog from './queries/catalog.ts';
import { copyIn, copyOut, copyPages } from './queries/copy.ts';

export interface Move {
  dataDir: string;
  /** The address of an empty database of PostgreSQL. */
  url: string;
  /** The keys with which the servers on PostgreSQL will run. */
  keys: SecretKeys;
  /** Is called at the beginning of each step. */
  note: (step: string) => void;
}

export interface Moved {
  /** The new database, without user and password. */
  name: string;
  tables: number;
  rows: number;
  bytes: number;
}

/** So much of a table is read at a time, before long values are decompressed. */
const CHUNK_BYTES = 4 * 1024 ** 2;

/** Copying so many rows takes long enough that an operator wonders. */
const NOTED_ROWS = 100_000;

/**
 * Copies everything from the embedded database of a data folder into an empty PostgreSQL, in one transaction there, and compares each
 * byte before the commit. The folder is then marked, so that nobody starts it by mistake; nothing else in it changes.
 * Throws StartError if either database is not as it must be.
 */
export async function moveToPostgres({ dataDir, url, keys, note }: Move): Promise<Moved> {
  requireDataFolder(dataDir);
  if (!existsSync(join(dataDir, EMBEDDED, 'PG_VERSION')))
    throw new StartError(`The data folder ${dataDir} has no database. Check GATEHOUSE_DATA_DIR.`);
  const source = await openEmbedded(dataDir);
  const wasMarked = existsSync(movedFile(dataDir));
  try {
    await requireMovable(source.db, keys);
    // Both databases must write values in the same way, since their texts are compared.
    await source.exec(catalog.TEXT_FORMAT);
    return await inOneTransaction('DATABASE_URL', url, async (target) => {
      await createTables(source.db, target, note);
      const copied = await copyRows(source, target, note);
      note('Committing');
      // Before the commit: whenever this process dies, no two databases can be started by mistake.
      await markMoved(dataDir, `the database ${target.name}`);
      return { name: target.name, ...copied };
    });
  } catch (error) {
    if (error instanceof UnknownOutcome) throw unknownOutcome(error);
    if (!wasMarked) await unmarkMoved(dataDir);
    throw error;
  } finally {
    await source.close();
  }
}

const unknownOutcome = (cause: Error) =>
  new StartError(
    'The connection was lost during the commit, so the outcome is unknown. If the database of DATABASE_URL has tables, everything was moved: start Gatehouse with it. If it has none, nothing was moved: run this command again.',
    { cause },
  );

/** Throws StartError unless this release wrote the database, and its servers on PostgreSQL will be able to read the secrets. */
async function requireMovable(db: Db, keys: SecretKeys): Promise<void> {
  const names = (await catalog.listTables(db)).map(({ name }) => name);
  const isWritten = ['public.schema_migration', 'pgboss.version'].every((name) => names.includes(name));
  if (!isWritten || (await pendingMigrations(db)).length > 0) throw otherRelease();
  await requireSecretKeys(db, keys);
}

const otherRelease = () =>
  new StartError(
    'The embedded database was not last used by this release of Gatehouse. Start this release with it once, without DATABASE_URL, stop it, and run this command again. Nothing was changed.',
  );

/** Creates the same tables in an empty database, without foreign keys and rows. */
async function createTables(source: Db, target: OneTransaction, note: Move['note']): Promise<void> {
  const found = await catalog.firstObject(target.db);
  if (found !== undefined) {
    throw new StartError(
      `The database ${target.name} is not empty: it has ${found}. Set DATABASE_URL to an empty database. If an earlier run of this command has filled it, start Gatehouse with it. Nothing was changed.`,
    );
  }
  note('Creating the tables');
  await catalog.limitWaits(target.db);
  try {
    await migrate(target);
    await target.exec(jobTables());
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new StartError(
      `Another process is creating tables in the database ${target.name}. Stop it, such as a server or another run of this command, and try again. Nothing was changed.`,
    );
  }
  await catalog.setLimits(target.db);
  const isSame =
    same(await catalog.migrationNames(source), await catalog.migrationNames(target.db)) &&
    (await catalog.jobVersion(source)) === (await catalog.jobVersion(target.db));
  if (!isSame) throw otherRelease();
  await createPartitions(source, target.db);
  for (const { name } of await catalog.listTables(target.db)) {
    if ((await catalog.countRows(target.db, name)) > 0) await catalog.emptyTable(target.db, name);
  }
}

/** Replaces the partitions of the coming months by those of the source, whose bounds cover its rows. */
async function createPartitions(source: Db, target: Db): Promise<void> {
  const wanted = await catalog.listPartitions(source);
  const existing = await catalog.listPartitions(target);
  const isIn = (list: catalog.Partition[], one: catalog.Partition) =>
    list.some(({ name, bound }) => name === one.name && bound === one.bound);
  for (const one of existing) if (!isIn(wanted, one)) await catalog.dropTable(target, one.name);
  for (const one of wanted) if (!isIn(existing, one)) await catalog.createPartition(target, one);
}

async function copyRows(source: EmbeddedDatabase, target: OneTransaction, note: Move['note']) {
  const tables = await catalog.listTables(source.db);
  requireSameTables(tables, await catalog.listTables(target.db));
  const foreignKeys = await catalog.listForeignKeys(target.db);
  const indexes = await catalog.listIndexes(target.db);
  for (const { drop_it } of [...foreignKeys, ...indexes]) await catalog.execute(target.db, drop_it);
  note(`Copying ${tables.length} tables`);
  let [rows, bytes] = [0, 0];
  for (const table of tables) {
    const sent = await copyTable(source, target, table, note);
    rows += sent.rows;
    bytes += sent.bytes;
  }
  await setSequences(source.db, target.db);
  note('Creating the indexes');
  for (const { add_it } of [...indexes, ...foreignKeys]) await catalog.execute(target.db, add_it);
  // The source is another database cluster, and nothing of its log was lost.
  await continueElsewhere(target.db);
  await analyze(target.db);
  return { tables: tables.length, rows, bytes };
}

async function setSequences(source: Db, target: Db): Promise<void> {
  const wanted = await catalog.listSequences(source);
  for (const sequence of wanted) await catalog.setSequence(target, sequence);
  if (!same(await catalog.listSequences(target), wanted))
    throw new StartError(
      'The sequences in PostgreSQL are not those of the embedded database. Nothing was changed.',
    );
}

function requireSameTables(source: catalog.Table[], target: catalog.Table[]): void {
  const shapes = (tables: catalog.Table[]) => tables.map(({ name, shape }) => `${name} (${shape})`);
  const [wanted, created] = [shapes(source), shapes(target)];
  const different = [
    ...wanted.filter((one) => !created.includes(one)),
    ...created.filter((one) => !wanted.includes(one)),
  ];
  if (different.length === 0) return;
  throw new StartError(
    `The embedded database has other tables than this release creates: ${different[0]}. Nothing was changed.`,
  );
}

/** Copies a table, reads it again from the target, and compares all bytes. Throws StartError if a byte differs. */
async function copyTable(
  source: EmbeddedDatabase,
  target: OneTransaction,
  table: catalog.Table,
  note: Move['note'],
) {
  const expected = await catalog.countRows(source.db, table.name);
  if (expected === 0) return { rows: 0, bytes: 0 };
  if (expected >= NOTED_ROWS) note(`Copying ${table.name}, ${expected} rows`);
  const sent = createHash('sha256');
  let bytes = 0;
  const rows = await target.copyIn(
    copyIn(table),
    counted(pagesOf(source, table), sent, (size) => {
      bytes += size;
    }),
  );
  const received = createHash('sha256');
  for await (const chunk of target.copyOut(copyOut(table))) received.update(chunk);
  if (rows !== expected || sent.digest('hex') !== received.digest('hex')) {
    throw new StartError(
      `The rows of ${table.name} in PostgreSQL are not those that were read from the embedded database. Nothing was changed.`,
    );
  }
  return { rows, bytes };
}

async function* counted(chunks: AsyncIterable<Uint8Array>, hash: Hash, note: (bytes: number) => void) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    note(chunk.byteLength);
    yield chunk;
  }
}

/** Yields the rows of a table, some pages at a time. */
async function* pagesOf(source: EmbeddedDatabase, table: catalog.Table): AsyncGenerator<Uint8Array> {
  const step = Math.max(1, Math.floor((CHUNK_BYTES * table.pages) / Math.max(table.bytes, 1)));
  for (let page = 0; page < table.pages; page += step) {
    const chunk = await source.copy(copyPages(table, page, page + step));
    if (chunk.byteLength > 0) yield chunk;
  }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
