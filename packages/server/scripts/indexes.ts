// Prints each index with the statements that use it: plans the recorded statements (ADR 24) on a database whose tables seem to be
// large. With --unused, only the indexes that no statement uses. A folder with a recording can be given; otherwise it is the one of
// the server as it is now.

import { prepareHistory } from '#inventory/records/history/retention.ts';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import { withLiterals } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { prepareEventLog } from '#log/events/log.ts';
import { startPostgres } from '#test/postgres.ts';
import { readRecording, recordingFolder, type Value } from '#test/statements.ts';

const ROWS = 10_000_000;
/** The distinct values of a column. */
const VALUES = 1000;
const PLANNED = /^\s*(--[^\n]*\n\s*)*\(?\s*(select|insert|update|delete|merge|with)\b/i;
const CREATES_RELATION = /^\s*create temp table (?:if not exists )?(\S+)/i;
/** A partition of a month that only a test has. */
const OF_MONTH = /"([a-z_]+)_\d{4}_\d{2}"/g;

interface Index {
  table: string;
  name: string;
  partitions: string[];
  /** `unique`, or `foreign key` if the database itself looks up the rows that refer to another. Null: only statements use it. */
  rule: string | null;
}

type Run = <T>(text: string) => Promise<{ rows: T[] }>;

const onlyUnused = process.argv.includes('--unused');
const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? (await recordingFolder());
const { statements } = await readRecording(folder);
if (statements.length === 0) {
  console.error('Nothing is recorded for the server as it is now. Run: npm run test:all -- once');
  process.exit(2);
}

const postgres = await startPostgres();
const database = await openDatabase({ url: postgres.url });
await migrate(database);
await prepareEventLog(database.db, createLogger('silent'));
await prepareHistory(database.db);
// The temporary tables of publications live as long as the transaction.
await database.db.transaction().execute(async (db) => {
  const run: Run = (text) => sql.raw<never>(text).execute(db);
  const attempt: Run = async (text) => {
    await run('savepoint attempt');
    try {
      return await run(text);
    } catch (error) {
      await run('rollback to savepoint attempt');
      throw error;
    }
  };
  const indexes = await allIndexes(run);
  await makeLarge(run);
  // Relations are made of earlier ones, which may be recorded later.
  const creations = statements.filter(({ text }) => CREATES_RELATION.test(text));
  for (const { text, values } of [...creations, ...creations])
    await attempt(withLiterals(text, values.map(sampleOf))).catch(() => {});
  const texts = new Map(
    statements
      .map(({ text, where }) => [text.replaceAll(OF_MONTH, '"$1"'), where] as const)
      .filter(([text]) => PLANNED.test(text)),
  );
  const used = new Map<string, Set<string>>();
  const unplanned = new Set<string>();
  const plan = async () => {
    for (const [text, where] of texts) {
      try {
        const { rows } = await attempt(`explain (generic_plan, format json) ${text}`);
        for (const index of indexesIn(rows)) used.set(index, (used.get(index) ?? new Set()).add(where));
      } catch (error) {
        unplanned.add(`${where}: ${(error as Error).message}`);
      }
    }
  };
  // Twice: the planner knows nothing about the values, and then believes that few rows have one.
  await plan();
  await makeSparse(run);
  await plan();
  for (const { table, name, partitions, rule } of indexes) {
    const places = new Set([name, ...partitions].flatMap((each) => [...(used.get(each) ?? [])]));
    if (onlyUnused && (places.size > 0 || rule !== null)) continue;
    console.log(`${table}: ${name}${rule === null ? '' : ` (${rule})`}, ${places.size} places`);
    for (const place of [...places].sort()) console.log(`  ${place}`);
  }
  console.log(`${texts.size} statements, of which ${unplanned.size} could not be planned:`);
  for (const problem of unplanned) console.log(`  ${problem}`);
});
await database.close();
await postgres.stop();

function sampleOf(value: Value) {
  return value !== null && typeof value === 'object' ? Buffer.from(value.bytes, 'base64') : value;
}

/** Returns the names of the indexes in a plan. */
function indexesIn(plan: unknown): string[] {
  if (Array.isArray(plan)) return plan.flatMap(indexesIn);
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, value]) =>
    key === 'Index Name' || key === 'Conflict Arbiter Indexes' ? [value as string].flat() : indexesIn(value),
  );
}

async function allIndexes(run: Run): Promise<Index[]> {
  const { rows } = await run<Index>(`
    select t.relname as table, i.relname as name, case
        when x.indisunique then 'unique'
        when exists (select from pg_constraint k where k.conrelid = t.oid and contype = 'f'
          and k.conkey = (x.indkey::smallint[])[0:cardinality(k.conkey) - 1]) then 'foreign key' end as rule,
      array(select c.relname::text from pg_inherits h join pg_class c on c.oid = h.inhrelid
        where h.inhparent = i.oid) as partitions
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where i.relnamespace = 'public'::regnamespace and not i.relispartition
    order by 1, 2`);
  return rows;
}

/**
 * Lets the planner believe that each table has ten million rows. It multiplies the rows of a page by the pages that exist, so each
 * table gets one row, whose page has all of them. Rules of rows are dropped, since the values make no sense.
 */
async function makeLarge(run: Run) {
  const { rows } = await run<{ name: string; columns: string; values: string; rules: string[] }>(`
    select c.oid::regclass::text as name, string_agg(quote_ident(attname), ', ') as columns,
      string_agg(case
        when atttypid = 'uuid'::regtype then 'uuidv7()'
        when atttypid = 'boolean'::regtype then 'true'
        when atttypid in ('date'::regtype, 'timestamptz'::regtype) then 'now()'
        when atttypid in ('json'::regtype, 'jsonb'::regtype) or typcategory = 'A' then quote_literal('{}')
        when typcategory = 'N' then '1'
        else quote_literal('x') end, ', ') as values,
      array(select quote_ident(conname) from pg_constraint k
        where k.conrelid = c.oid and contype in ('c', 'f') and coninhcount = 0) as rules
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    join pg_type y on y.oid = atttypid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    group by c.oid`);
  for (const { name, rules } of rows)
    for (const rule of rules) await run(`alter table ${name} drop constraint ${rule}`);
  for (const { name, columns, values } of rows)
    await run(
      `insert into ${name} (${columns}) overriding system value values (${values}) on conflict do nothing`,
    );
  await run(`select pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text,
      'relpages', 1, 'reltuples', ${ROWS}::real)
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
}

/** Lets the planner believe that columns that can be null are null in most rows, and that all have many values. */
async function makeSparse(run: Run) {
  await run(`select pg_restore_attribute_stats('schemaname', 'public', 'relname', relname::text, 'attname', attname::text,
      'inherited', relkind = 'p', 'null_frac', case when attnotnull then 0 else 0.99 end::real, 'avg_width', 16, 'n_distinct', ${VALUES}::real)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and atttypid not in ('boolean'::regtype, 'json'::regtype, 'jsonb'::regtype)`);
}
