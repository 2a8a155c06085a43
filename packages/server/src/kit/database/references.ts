import { type RawBuilder, sql } from 'kysely';
import type { OrgTx } from './organization.ts';
import { affected, exists, run } from './statements.ts';

/*
 * References to people, accounts and apps. Each feature declares the columns of its tables that hold them, in `references.ts`, with what
 * happens to them. The functions below do it, in one statement for each table. A test compares the declarations with the schema.
 */

/** A rule decides about the column. The name of its function follows. */
export type ByRule = `by ${string}`;

/**
 * The effect of a merge of two people on a column that names the one who is merged away.
 * - moves: it names the person who remains. Only in open rows, if the table has them.
 * - goes: the row is deleted
 * - stays: it is history, or means nothing after the merge
 */
export type OnMerge = 'moves' | 'goes' | 'stays' | ByRule;

/**
 * The effect of the deletion of a person on a column that names them.
 * - refuses: the person is not deleted
 * - refuses by key, goes by key: the same, by the foreign key
 * - clears: the column becomes null, or the list has one person less
 * - releases: clears in open rows, and refuses in all others
 * - goes: the row is deleted
 * - stays: the id stays, and names nobody
 */
export type OnDeletion =
  | 'refuses'
  | 'refuses by key'
  | 'clears'
  | 'releases'
  | 'goes'
  | 'goes by key'
  | 'stays'
  | ByRule;

/** The effect on a column that names an account which is merged into another (D24). It also moves in rows that are not open. */
export type OnAccountsMerged = 'moves' | 'stays' | ByRule;

/** The effect on a column that names an app which is archived: its row is deleted, or stays. */
export type OnArchive = 'goes' | 'stays' | ByRule;

/** Values of columns: any of these texts, null, or anything but null. */
export type Condition = Record<string, readonly string[] | 'null' | 'not null'>;

/** The things that a column names. It can name several kinds. */
export interface Named {
  /** The row is about its subjects, as an export of their data would show it. Actors have decided, own or carry out something. */
  person?: { is: 'subject' | 'actor'; merged: OnMerge; deleted: OnDeletion };
  account?: { merged: OnAccountsMerged };
  app?: { archived: OnArchive };
}

export interface Column extends Named {
  /** One id, an array of ids, or JSON with ids in it. */
  holds: 'id' | 'ids' | 'json';
  /** The rows in which it names them. Absent: all. */
  where?: Condition;
  /** The other columns of a unique key. A row that cannot move, because the person who remains has one, goes. */
  once?: readonly string[];
}

export interface Table {
  /** Why columns stay as they are. */
  why?: string;
  /** The rows that are not yet history: those with any of these values. Absent: all. */
  open?: readonly Condition[];
  /** The name under which a merge counts the rows that it moves. */
  counted?: string;
  /** The rows that it counts. Absent: all. */
  counts?: Condition;
  /** The column by which a merge locks the rows first, in order, because others lock several of them, too. */
  lockedBy?: string;
  columns: Record<string, Column>;
}

/** The tables of a feature that refer to people, accounts or apps, by name. */
export type References = Record<string, Table>;

export const subject = (merged: OnMerge, deleted: OnDeletion): Named => ({
  person: { is: 'subject', merged, deleted },
});
export const actor = (merged: OnMerge, deleted: OnDeletion): Named => ({
  person: { is: 'actor', merged, deleted },
});
export const account = (merged: OnAccountsMerged): Named => ({ account: { merged } });
export const app = (archived: OnArchive): Named => ({ app: { archived } });

const column =
  (holds: Column['holds']) =>
  (...named: Named[]): Column => ({ holds, ...Object.assign({}, ...named) });
export const id = column('id');
export const ids = column('ids');
export const json = column('json');

/** Replaces a person who is merged into another. Returns the number of rows by the names of `counted`. */
export async function moveReferences(
  tx: OrgTx,
  references: References,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<Record<string, number>> {
  const moved: Record<string, number> = {};
  for (const [name, table] of Object.entries(references)) {
    const leaving = columnsThat(table, ({ person }) => person?.merged === 'goes');
    if (leaving.length > 0) await deleteRows(tx, name, namesAny(leaving, [fromId]));
    const moving = columnsThat(table, ({ person }) => person?.merged === 'moves');
    if (moving.length === 0) continue;
    const rows = await moveRows(tx, { name, table, columns: moving }, fromId, intoId);
    if (table.counted !== undefined) moved[table.counted] = (moved[table.counted] ?? 0) + rows;
  }
  return moved;
}

/** Whether something names one of these people that refuses their deletion. Foreign keys refuse on their own. */
export async function areNamed(
  tx: OrgTx,
  references: References,
  people: readonly string[],
): Promise<boolean> {
  const selects = Object.entries(references).flatMap(([name, table]) =>
    columnsThat(table, ({ person }) => ['refuses', 'releases'].includes(person?.deleted ?? '')).map(
      (each) => sql`
        select from ${sql.table(name)} t where t.org_id = ${tx.orgId} and ${namesAny([each], people)}
          ${each[1].person?.deleted === 'releases' ? sql`and not ${isOpen(table)}` : sql``}`,
    ),
  );
  return exists(tx)`${sql.join(selects, sql` union all `)} limit 1`;
}

/** Forgets people who are being deleted. */
export async function forgetReferences(
  tx: OrgTx,
  references: References,
  people: readonly string[],
): Promise<void> {
  for (const [name, table] of Object.entries(references)) {
    const leaving = columnsThat(table, ({ person }) => person?.deleted === 'goes');
    if (leaving.length > 0) await deleteRows(tx, name, namesAny(leaving, people));
    const cleared = columnsThat(table, ({ person }) =>
      ['clears', 'releases'].includes(person?.deleted ?? ''),
    );
    if (cleared.length === 0) continue;
    const isCleared = (each: Entry) =>
      each[1].person?.deleted === 'releases'
        ? sql`(${namesAny([each], people)} and ${isOpen(table)})`
        : namesAny([each], people);
    await run(tx)`
      update ${sql.table(name)} t set ${sql.join(cleared.map((each) => withoutPeople(each, isCleared(each), people)))}
      where t.org_id = ${tx.orgId} and (${sql.join(cleared.map(isCleared), sql` or `)})`;
  }
}

/** Replaces accounts that are merged into others. */
export async function moveAccountReferences(
  tx: OrgTx,
  references: References,
  merges: readonly { account_id: string; duplicate_id: string }[],
): Promise<void> {
  const pairs = sql`unnest(${merges.map((one) => one.account_id)}::uuid[], ${merges.map((one) => one.duplicate_id)}::uuid[])
    as m (account_id, duplicate_id)`;
  for (const [name, table] of Object.entries(references)) {
    for (const [moving] of columnsThat(table, (one) => one.account?.merged === 'moves'))
      await run(tx)`
        update ${sql.table(name)} t set ${sql.ref(moving)} = m.account_id from ${pairs}
        where t.org_id = ${tx.orgId} and ${of(moving)} = m.duplicate_id`;
  }
}

/** Deletes the rows that go with an app which is archived. */
export async function endReferences(tx: OrgTx, references: References, appId: string): Promise<void> {
  for (const [name, table] of Object.entries(references)) {
    const leaving = columnsThat(table, (one) => one.app?.archived === 'goes');
    if (leaving.length > 0) await deleteRows(tx, name, namesAny(leaving, [appId]));
  }
}

type Entry = [name: string, column: Column];

const columnsThat = ({ columns }: Table, does: (column: Column) => boolean): Entry[] =>
  Object.entries(columns).filter(([, one]) => does(one));

async function moveRows(
  tx: OrgTx,
  { name, table, columns }: { name: string; table: Table; columns: Entry[] },
  fromId: string,
  intoId: string,
): Promise<number> {
  const named = sql`${isOpen(table)} and ${namesAny(columns, [fromId])}`;
  let taken = 0;
  for (const [moving, { once = [] }] of columns.filter((each) => each[1].once !== undefined)) {
    const isSame = once.map((other) => sql` and ${sql.ref(`o.${other}`)} = ${of(other)}`);
    taken += await deleteRows(
      tx,
      name,
      sql`${named} and exists (
        select from ${sql.table(name)} o
        where o.org_id = ${tx.orgId} and ${sql.ref(`o.${moving}`)} = ${intoId}${sql.join(isSame, sql``)})`,
    );
  }
  const set = sql.join(columns.map((each) => moved(each, fromId, intoId)));
  const key = table.lockedBy;
  const counts = sql`returning ${table.counts === undefined ? sql`true` : meets(table.counts)} as counts`;
  const { rows } = await (key === undefined
    ? sql<{
        counts: boolean;
      }>`update ${sql.table(name)} t set ${set} where t.org_id = ${tx.orgId} and ${named} ${counts}`
    : sql<{ counts: boolean }>`
      with named as (
        select ${of(key)} from ${sql.table(name)} t where t.org_id = ${tx.orgId} and ${named} order by ${of(key)} for no key update)
      update ${sql.table(name)} t set ${set} from named where t.org_id = ${tx.orgId} and ${of(key)} = ${sql.ref(`named.${key}`)} ${counts}`
  ).execute(tx);
  return taken + rows.filter((row) => row.counts).length;
}

function moved([name, column]: Entry, fromId: string, intoId: string): RawBuilder<unknown> {
  const value = {
    id: sql`case when ${namesAny([[name, column]], [fromId])} then ${intoId}::uuid else ${of(name)} end`,
    ids: sql`array_replace(${of(name)}, ${fromId}::uuid, ${intoId}::uuid)`,
    // An id is long enough to be found as text, also in the conditions that JSON can hold.
    json: sql`replace(${of(name)}::text, ${fromId}, ${intoId})::jsonb`,
  };
  return sql`${sql.ref(name)} = ${value[column.holds]}`;
}

/** Sets a column to null, or removes people from its list. A list without people becomes null. */
function withoutPeople(
  [name, { holds }]: Entry,
  isCleared: RawBuilder<unknown>,
  people: readonly string[],
): RawBuilder<unknown> {
  const rest = sql`nullif(array(
    select given.id from unnest(${of(name)}) with ordinality as given (id, n)
    where not given.id = any(${people}::uuid[]) order by given.n), '{}'::uuid[])`;
  return sql`${sql.ref(name)} = case when ${isCleared} then ${holds === 'ids' ? rest : sql`null`} else ${of(name)} end`;
}

const deleteRows = (tx: OrgTx, name: string, which: RawBuilder<unknown>) =>
  affected(tx)`delete from ${sql.table(name)} t where t.org_id = ${tx.orgId} and ${which}`;

/** Whether row `t` names one of these ids in one of the columns. */
const namesAny = (columns: Entry[], wanted: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    columns.map(([name, { holds, where }]) => {
      const names = {
        id: sql`${of(name)} = any(${wanted}::uuid[])`,
        ids: sql`${of(name)} && ${wanted}::uuid[]`,
        json: sql`${of(name)}::text like any(${wanted.map((one) => `%${one}%`)}::text[])`,
      };
      return where === undefined ? names[holds] : sql`(${names[holds]} and ${meets(where)})`;
    }),
    sql` or `,
  )})`;

const isOpen = ({ open = [] }: Table): RawBuilder<unknown> =>
  open.length === 0 ? sql`true` : sql`(${sql.join(open.map(meets), sql` or `)})`;

const meets = (condition: Condition): RawBuilder<unknown> =>
  sql.join(
    Object.entries(condition).map(([name, values]) =>
      typeof values === 'string'
        ? sql`${of(name)} is ${sql.raw(values)}`
        : sql`${of(name)} in (${sql.join(values.map((value) => sql.lit(value)))})`,
    ),
    sql` and `,
  );

/** A column of row `t`. */
const of = (name: string): RawBuilder<unknown> => sql.ref(`t.${name}`);
