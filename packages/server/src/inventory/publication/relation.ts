import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/open.ts';
import type { Scope } from './relations.ts';

/**
 * A relation is a table through which one step of a publication hands rows to the next. It is a temporary table: the
 * step that fills it creates it, and it is gone when the transaction ends. Other files name a relation by its constant
 * in relations.ts and read it only through rowsOf, so that the kind of table is the choice of this file (ADR 10).
 */
export interface Relation<N extends string = string, C extends Columns = Columns> {
  readonly name: N;
  readonly columns: C;
}

/** The columns of a relation with their SQL types, in order. */
export type Columns = Readonly<Record<string, SqlType | `${SqlType} not null`>>;

type SqlType = 'uuid' | 'text' | 'text collate "C"' | 'integer' | 'bigint' | 'boolean' | 'jsonb';

/** A row of a relation as the driver returns it. */
export type RowOf<R extends Relation> = { [K in keyof R['columns']]: ValueOf<R['columns'][K]> };

type ValueOf<T> = T extends `${infer S} not null` ? TypeOf<S> : TypeOf<T> | null;
type TypeOf<S> = S extends 'boolean'
  ? boolean
  : S extends 'integer' | 'bigint'
    ? number
    : S extends 'jsonb'
      ? Record<string, unknown>
      : string;

export const relation = <N extends string, const C extends Columns>(name: N, columns: C): Relation<N, C> => ({
  name,
  columns,
});

// `scope` says whose rows a statement means. A temporary table holds the rows of one session only, so it is not needed
// here; a permanent table would filter by it.

/** The rows of a relation, for the `from` of a statement. */
export const rowsOf = (_scope: Scope, { name }: Relation): RawBuilder<unknown> =>
  sql`pg_temp.${sql.ref(name)}`;

/** A statement that adds the rows of `query` to a relation. `query` selects the relation's columns in their order. */
export const insertInto = (
  _scope: Scope,
  target: Relation,
  query: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`insert into pg_temp.${sql.ref(target.name)} (${columnsOf(target)}) ${query}`;

/** A statement that deletes the rows `r` of a relation that meet a condition. */
export const deleteFrom = (
  _scope: Scope,
  target: Relation,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`delete from pg_temp.${sql.ref(target.name)} r where ${condition}`;

/** Creates a relation without rows. */
export async function createRelation(tx: Tx, _scope: Scope, { name, columns }: Relation): Promise<void> {
  const definitions = Object.entries(columns).map(
    ([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`,
  );
  await sql`create temp table ${sql.table(name)} (${sql.join(definitions)}) on commit drop`.execute(tx);
}

/**
 * Creates a relation with the rows of `query` and returns their number. `query` selects the relation's columns in their
 * order. One statement creates and fills the table, which is faster than inserting into an existing one. It does not
 * enforce `not null`: the query must hold to it.
 */
export async function fillRelation(
  tx: Tx,
  _scope: Scope,
  target: Relation,
  query: RawBuilder<unknown>,
): Promise<number> {
  await sql`
    create temp table ${sql.ref(target.name)} on commit drop as
    select ${sql.join(Object.entries(target.columns).map(typedColumn))} from (${query}) as q (${columnsOf(target)})`.execute(
    tx,
  );
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from pg_temp.${sql.ref(target.name)}`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** A column of `q` with the type that the relation declares. */
function typedColumn([column, declared]: [string, string]): RawBuilder<unknown> {
  const [type = '', collation] = declared.replace(' not null', '').split(' collate ');
  const typed = sql`q.${sql.ref(column)}::${sql.raw(type)}`;
  return collation === undefined
    ? sql`${typed} as ${sql.ref(column)}`
    : sql`${typed} collate ${sql.raw(collation)} as ${sql.ref(column)}`;
}

/** Collects the planner's statistics. Without them, the planner underestimates large relations. */
export async function analyzeRelations(tx: Tx, ...relations: Relation[]): Promise<void> {
  await sql`analyze ${sql.join(relations.map(({ name }) => sql`pg_temp.${sql.ref(name)}`))}`.execute(tx);
}

const columnsOf = ({ columns }: Relation) => sql.join(Object.keys(columns).map((column) => sql.ref(column)));
