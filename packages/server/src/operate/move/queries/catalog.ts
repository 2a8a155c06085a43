import type { Db } from '#kit/database.ts';
import { many, run, sql, value, values } from '#kit/sql.ts';

/** The schemas that have all rows of an installation. */
const SCHEMAS = sql`('public', 'staging', 'pgboss')`;

const isOfExtension = (catalog: 'pg_class' | 'pg_namespace', alias: string) => sql`exists (
  select from pg_depend d
  where d.classid = ${sql.lit(catalog)}::regclass and d.objid = ${sql.ref(`${alias}.oid`)} and d.deptype = 'e')`;

/** Returns the name of something that Gatehouse did not expect in an empty database, undefined if it is empty. */
export const firstObject = (db: Db) => value<string | undefined>(db)`
  select name from (
    select 1 as place, format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${SCHEMAS} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not ${isOfExtension('pg_class', 'c')}
    union all
    select 2, format('the schema %I', n.nspname) from pg_namespace n
    where n.nspname in ${SCHEMAS} and n.nspname <> 'public' and not ${isOfExtension('pg_namespace', 'n')}
  ) found
  order by place, name limit 1`;

export const migrationNames = (db: Db) => values<string>(db)`select name from schema_migration order by name`;

/** Returns the version of the job queue's tables. */
export const jobVersion = (db: Db) => value<number>(db)`select version from pgboss.version`;

/** A table with rows: not one that has partitions. */
export interface Table {
  /** The quoted name with its schema. */
  name: string;
  /** The quoted names of the columns that are not generated. */
  columns: string[];
  /** All columns with their types. Two tables with the same text have the same rows in `copy`. */
  shape: string;
  pages: number;
  /** The size of its pages and of long values. */
  bytes: number;
}

export const listTables = (db: Db) => many<Table>(db)`
  select format('%I.%I', n.nspname, c.relname) as name,
    array_agg(quote_ident(a.attname) order by a.attname) filter (where a.attgenerated = '') as columns,
    string_agg(format('%I %s %s', a.attname, format_type(a.atttypid, a.atttypmod), a.attgenerated), ', '
      order by a.attname) as shape,
    pg_relation_size(c.oid) / current_setting('block_size')::bigint as pages, pg_table_size(c.oid) as bytes
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname in ${SCHEMAS} and c.relkind = 'r' and not ${isOfExtension('pg_class', 'c')}
  group by c.oid, n.nspname, c.relname
  order by n.nspname, c.relname`;

export interface Partition {
  name: string;
  parent: string;
  bound: string;
}

export const listPartitions = (db: Db) => many<Partition>(db)`
  select format('%I.%I', n.nspname, c.relname) as name, format('%I.%I', m.nspname, p.relname) as parent,
    pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid and c.relkind = 'r'
  join pg_namespace n on n.oid = c.relnamespace
  join pg_class p on p.oid = i.inhparent and p.relkind = 'p'
  join pg_namespace m on m.oid = p.relnamespace
  where n.nspname in ${SCHEMAS}
  order by 1`;

export const dropTable = (db: Db, name: string) => run(db)`drop table ${sql.raw(name)}`;

/** Creates a partition as the functions of the schema do. */
export async function createPartition(db: Db, { name, parent, bound }: Partition): Promise<void> {
  await run(db)`create table ${sql.raw(name)} (like ${sql.raw(parent)} including all)`;
  await run(db)`alter table ${sql.raw(parent)} attach partition ${sql.raw(name)} ${sql.raw(bound)}`;
}

export interface Restorable {
  drop_it: string;
  add_it: string;
}

/** Returns the statements that drop the foreign keys, and add the same again. */
export const listForeignKeys = (db: Db) => many<Restorable>(db)`
  select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as drop_it,
    format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as add_it
  from pg_constraint k join pg_namespace n on n.oid = k.connamespace
  where k.contype = 'f' and k.conparentid = 0 and n.nspname in ${SCHEMAS}
  order by 1`;

/** Returns the statements that drop the indexes that are neither unique nor of partitions, and create the same again. */
export const listIndexes = (db: Db) => many<Restorable>(db)`
  select format('drop index %s', i.indexrelid::regclass) as drop_it, pg_get_indexdef(i.indexrelid) as add_it
  from pg_index i
  join pg_class c on c.oid = i.indrelid
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ${SCHEMAS} and c.relkind = 'r' and not c.relispartition and not i.indisunique
    and not ${isOfExtension('pg_class', 'c')}
  order by i.indexrelid`;

export const execute = (db: Db, statement: string) => run(db)`${sql.raw(statement)}`;

/** Removes the few rows that migrations insert. The log has none, and refuses this. */
export const emptyTable = (db: Db, name: string) => run(db)`delete from ${sql.raw(name)}`;

export const countRows = (db: Db, name: string) =>
  value<number>(db)`select count(*) as n from only ${sql.raw(name)}`;

interface Sequence {
  name: string;
  /** Null: nobody has used it. */
  last: number | null;
}

export const listSequences = (db: Db) => many<Sequence>(db)`
  select format('%I.%I', schemaname, sequencename) as name, last_value as last
  from pg_sequences where schemaname in ${SCHEMAS} order by 1`;

export const setSequence = (db: Db, { name, last }: Sequence) =>
  run(db)`select setval(${name}::regclass, ${last}::bigint) where ${last}::bigint is not null`;

/** The settings of a session on which the texts of values depend, as sessions of servers have them (kit/database/session.ts). */
export const TEXT_FORMAT = `set "TimeZone" = 'UTC'; set "DateStyle" = 'ISO, MDY'; set "IntervalStyle" = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1`;

/** Ends waits for another transaction that creates the same tables. */
export const limitWaits = (db: Db) => run(db)`set local lock_timeout = '5s'`;

/** Sets what later statements need, after the scripts of migrations have set limits for themselves. */
export async function setLimits(db: Db): Promise<void> {
  await run(db)`set local lock_timeout = '30s'`;
  await run(db)`set local idle_in_transaction_session_timeout = '15min'`;
  // Otherwise, a scan can begin in the middle of a large table.
  await run(db)`set local synchronize_seqscans = off`;
}
