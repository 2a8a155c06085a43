import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/open.ts';

/**
 * A relation is a table through which one step of a publication hands rows to the next. It is a temporary table:
 * the step that fills it creates it, and it is gone when the transaction ends. Only this file depends on that choice
 * (ADR 10). Other files name a relation by its constant in relations.ts.
 */
export interface Relation<N extends string = string, C extends Columns = Columns> {
  readonly name: N;
  readonly columns: C;
}

/** The columns of a relation with their SQL types, in order. */
export type Columns = Readonly<Record<string, SqlType | `${SqlType} not null`>>;

type SqlType = 'uuid' | 'text' | 'text collate "C"' | 'integer' | 'bigint' | 'boolean';

/** A row of a relation as the driver returns it. */
export type RowOf<R extends Relation> = { [K in keyof R['columns']]: ValueOf<R['columns'][K]> };

type ValueOf<T> = T extends `${infer S} not null` ? TypeOf<S> : TypeOf<T> | null;
type TypeOf<S> = S extends 'boolean' ? boolean : S extends 'integer' | 'bigint' ? number : string;

export const relation = <N extends string, const C extends Columns>(name: N, columns: C): Relation<N, C> => ({
  name,
  columns,
});

/** The rows of a relation, for the `from` of a statement. */
export const rowsOf = ({ name }: Relation): RawBuilder<unknown> => sql.table(name);

/** A statement that adds the rows of `query` to a relation. `query` selects the relation's columns in their order. */
export const insertInto = (target: Relation, query: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`insert into ${sql.table(target.name)} (${columnsOf(target)}) ${query}`;

/** Creates a relation without rows. */
export async function createRelation(tx: Tx, { name, columns }: Relation): Promise<void> {
  const definitions = Object.entries(columns).map(
    ([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`,
  );
  await sql`create temp table ${sql.table(name)} (${sql.join(definitions)}) on commit drop`.execute(tx);
}

/** Creates a relation with the rows of `query` and returns their number. `query` is as in insertInto. */
export async function fillRelation(tx: Tx, target: Relation, query: RawBuilder<unknown>): Promise<number> {
  await createRelation(tx, target);
  const { numAffectedRows } = await insertInto(target, query).execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Collects the planner's statistics. Without them, the planner underestimates large relations. */
export async function analyzeRelations(tx: Tx, ...relations: Relation[]): Promise<void> {
  await sql`analyze ${sql.join(relations.map(({ name }) => sql.table(name)))}`.execute(tx);
}

const columnsOf = ({ columns }: Relation) => sql.join(Object.keys(columns).map((column) => sql.ref(column)));
