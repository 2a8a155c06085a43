import { randomUUID } from 'node:crypto';
import { isCluster, type OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql, value } from '#kit/sql.ts';

/**
 * A relation is a table through which one step of a publication hands rows to the next. It is a temporary table: the
 * step that fills it creates it, and it is gone when the transaction ends. On a cluster, it is a distributed table of the
 * schema `staging` with the rows of all runs, which each run deletes again (ADR 16). Other files name a relation by its
 * constant in publication/relations.ts and read it only through rowsOf, so that the kind of table is the choice of this file (ADR 10).
 */
export interface Relation<N extends string = string, C extends Columns = Columns> {
  readonly name: N;
  readonly columns: C;
}

/** The columns of a relation with their SQL types, in order. */
export type Columns = Readonly<Record<string, SqlType | `${SqlType} not null`>>;

type SqlType =
  | 'uuid'
  | 'text'
  | 'text collate "C"'
  | 'integer'
  | 'bigint'
  | 'boolean'
  | 'jsonb'
  | 'timestamptz';

/** A transaction's use of the permanent relations of a cluster. */
export interface Run {
  readonly id: string;
  /** The names of the relations that it has filled. */
  readonly relations: Set<string>;
}

/** The organization and the transaction whose relations a statement uses. */
export interface RelationScope {
  orgId: string;
  /** Set by withRelations on a cluster. Undefined: the relations are temporary tables. */
  run?: Run;
}

export const relation = <N extends string, const C extends Columns>(name: N, columns: C): Relation<N, C> => ({
  name,
  columns,
});

/** The columns of relations of memberships. */
export const membership = { account_id: 'uuid not null', entitlement_id: 'uuid not null' } as const;

/** The columns of relations of changed accounts, for the events. */
export const accountChange = {
  account_id: 'uuid not null',
  old_status: 'text',
  new_status: 'text not null',
} as const;

/** The rows of a relation, for the `from` of a statement. */
export const rowsOf = ({ orgId, run }: RelationScope, { name, columns }: Relation): RawBuilder<unknown> =>
  run === undefined
    ? sql`pg_temp.${sql.ref(name)}`
    : sql`(select ${namesOf(columns)} from staging.${sql.ref(name)} where org_id = ${orgId} and run_id = ${run.id})`;

/** A statement that adds the rows of `query` to a relation. `query` selects the relation's columns in their order. */
export function insertInto(
  { orgId, run }: RelationScope,
  target: Relation,
  query: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const names = namesOf(target.columns);
  return run === undefined
    ? sql`insert into pg_temp.${sql.ref(target.name)} (${names}) ${query}`
    : sql`insert into staging.${sql.ref(target.name)} (org_id, run_id, ${names})
        select ${orgId}::uuid, ${run.id}::uuid, q.* from (${query}) as q (${names})`;
}

/** A statement that changes the rows `r` of a relation that meet a condition. */
export const updateRows = (
  { orgId, run }: RelationScope,
  target: Relation,
  { set, from, where }: { set: RawBuilder<unknown>; from: RawBuilder<unknown>; where: RawBuilder<unknown> },
): RawBuilder<unknown> =>
  run === undefined
    ? sql`update pg_temp.${sql.ref(target.name)} r set ${set} from ${from} where ${where}`
    : sql`update staging.${sql.ref(target.name)} r set ${set} from ${from}
        where r.org_id = ${orgId} and r.run_id = ${run.id} and ${where}`;

/** Creates a relation without rows. */
export async function createRelation(
  tx: OrgTx,
  { run }: RelationScope,
  { name, columns }: Relation,
): Promise<void> {
  if (run !== undefined) {
    run.relations.add(name);
    return;
  }
  const definitions = Object.entries(columns).map(
    ([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`,
  );
  await sql`create temp table ${sql.table(name)} (${sql.join(definitions)}) on commit drop`.execute(tx);
}

/** Creates a relation that stays without rows, and returns their number like fillRelation. */
export async function createEmptyRelation(
  tx: OrgTx,
  scope: RelationScope,
  target: Relation,
): Promise<number> {
  await createRelation(tx, scope, target);
  return 0;
}

/**
 * Creates a relation with the rows of `query` and returns their number. `query` selects the relation's columns in their
 * order. One statement creates and fills a temporary table, which is faster than inserting into an existing one. It does
 * not enforce `not null`: the query must hold to it.
 */
export async function fillRelation(
  tx: OrgTx,
  scope: RelationScope,
  target: Relation,
  query: RawBuilder<unknown>,
): Promise<number> {
  const typed = sql`select ${sql.join(Object.entries(target.columns).map(typedColumn))}
    from (${query}) as q (${namesOf(target.columns)})`;
  if (scope.run !== undefined) {
    scope.run.relations.add(target.name);
    const { numAffectedRows } = await insertInto(scope, target, typed).execute(tx);
    return Number(numAffectedRows ?? 0);
  }
  await run(tx)`create temp table ${sql.ref(target.name)} on commit drop as ${typed}`;
  return value<number>(tx)`select count(*) as n from pg_temp.${sql.ref(target.name)}`;
}

/** A column of `q` with the type that the relation declares. */
function typedColumn([column, declared]: [string, string]): RawBuilder<unknown> {
  const [type = '', collation] = declared.replace(' not null', '').split(' collate ');
  const typed = sql`q.${sql.ref(column)}::${sql.raw(type)}`;
  return collation === undefined
    ? sql`${typed} as ${sql.ref(column)}`
    : sql`${typed} collate ${sql.raw(collation)} as ${sql.ref(column)}`;
}

/**
 * Collects the planner's statistics. Without them, the planner underestimates large relations. On a cluster there are
 * none: withRelations rules out the plans for which they matter.
 */
export async function analyzeRelations(
  tx: OrgTx,
  { run }: RelationScope,
  ...relations: Relation[]
): Promise<void> {
  if (run !== undefined) return;
  await sql`analyze ${sql.join(relations.map(({ name }) => sql`pg_temp.${sql.ref(name)}`))}`.execute(tx);
}

/**
 * Runs the part of a transaction that works with relations. On a cluster, deletes their rows at the end, so that nobody
 * else ever sees them.
 */
export async function withRelations<S extends RelationScope, T>(
  tx: OrgTx,
  ids: S,
  work: (scope: S) => Promise<T>,
): Promise<T> {
  if (!isCluster(tx)) return work(ids);
  // Without statistics, the planner expects few rows and would join millions of them one by one.
  await sql`set local citus.propagate_set_commands = 'local'`.execute(tx);
  await sql`set local enable_nestloop = off`.execute(tx);
  const run: Run = { id: randomUUID(), relations: new Set() };
  const result = await work({ ...ids, run });
  for (const name of run.relations)
    await sql`delete from staging.${sql.ref(name)} where org_id = ${ids.orgId} and run_id = ${run.id}`.execute(
      tx,
    );
  return result;
}

const namesOf = (columns: Columns) => sql.join(Object.keys(columns).map((column) => sql.ref(column)));
