import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import { many, type RawBuilder, run, sql, writeMany } from '#kit/sql.ts';
import type { Action, Precondition, TaskType } from '../task.ts';
import { endWaiting, isOutstanding } from './returned.ts';

export interface TaskRow {
  app_id: string;
  account_id: string;
  action: Action;
  /** Null: now. */
  execute_after: string | null;
  task_type: TaskType;
  source_type: string | null;
  source_id: string | null;
  /** The name of the decision. */
  source_label: string;
  created_by: string;
  reason: Sentence | null;
  preconditions: Precondition[];
  /** Whether it is about the person leaving (D73): then a person who has left must not be back when a connector gets it (D74). */
  leaving: boolean;
  /** Whether it gives something: then it needs a person who is active when a connector gets it, if they are now (D74). */
  gives: boolean;
  /** The person who confirmed it although it may exceed the budget (D46). */
  released_by: string | null;
}

/**
 * Returns the people of accounts to which these tasks give something and who are active, and those of tasks about leaving who are not. A
 * cluster cannot join them to the rows that it inserts.
 */
async function peopleAsDecided(
  tx: OrgTx,
  rows: readonly TaskRow[],
): Promise<(row: TaskRow) => string | undefined> {
  const ids = rows.flatMap(({ gives, leaving, account_id }) => (gives || leaving ? [account_id] : []));
  if (ids.length === 0) return () => undefined;
  const found = await many<{ id: string; user_id: string; active: boolean }>(tx)`
    select a.id, u.id as user_id, u.status = 'active' as active from ${accounts} a
    join platform_user u on u.org_id = ${tx.orgId} and u.id = a.user_id
    where a.org_id = ${tx.orgId} and a.id = any(${ids}::uuid[])`;
  const people = new Map(found.map(({ id, ...person }) => [id, person]));
  return ({ gives, leaving, account_id }) => {
    const person = gives || leaving ? people.get(account_id) : undefined;
    return person?.active === gives ? person.user_id : undefined;
  };
}

/** Inserts tasks. Returns their ids in the order of `rows`. */
export async function insertTasks(tx: OrgTx, given: readonly TaskRow[]): Promise<string[]> {
  const personOf = await peopleAsDecided(tx, given);
  const rows = given.map((row) => {
    const user_id = personOf(row);
    const kind = row.gives ? ('user_active' as const) : ('user_inactive' as const);
    if (user_id === undefined || row.preconditions.some((one) => one.kind === kind)) return row;
    return { ...row, preconditions: [...row.preconditions, { kind, user_id }] };
  });
  const insert = (end: RawBuilder<unknown>) => sql<{ id: string }>`
    insert into task (org_id, app_id, account_id, action, execute_after, task_type, source_type, source_id, source_label, created_by,
      reason, leaving, preconditions, released_by, released_at)
    select ${tx.orgId}::uuid, g.app_id, g.account_id, g.action, coalesce(g.execute_after, clock_now()), g.task_type,
      g.source_type, g.source_id, g.source_label, g.created_by, g.reason, g.leaving,
      g.preconditions,
      g.released_by, case when g.released_by is not null then clock_now() end
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
      app_id uuid, account_id uuid, action text, execute_after timestamptz, task_type text, source_type text,
      source_id uuid, source_label text, created_by uuid, reason jsonb, leaving boolean, gives boolean, preconditions jsonb,
      released_by uuid
    )) with ordinality as g (app_id, account_id, action, execute_after, task_type, source_type, source_id, source_label,
      created_by, reason, leaving, gives, preconditions, released_by, i)
    order by g.i
    returning id ${end}`;
  const { rows: inserted } = await writeMany(tx, rows.length, (end) => insert(end).execute(tx));
  return inserted.map(({ id }) => id);
}

export interface ChangeRow {
  task_id: string;
  entitlement_id: string;
  added: boolean;
}

/** Inserts the changes of tasks. Returns how many: entitlements of other apps are left out. */
export async function insertChanges(tx: OrgTx, rows: readonly ChangeRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const insert = (end: RawBuilder<unknown>) => sql`
    insert into task_change (org_id, task_id, entitlement_id, added, name)
    select ${tx.orgId}::uuid, t.id, e.id, c.added, e.name
    from unnest(${rows.map((row) => row.task_id)}::uuid[], ${rows.map((row) => row.entitlement_id)}::uuid[],
      ${rows.map((row) => row.added)}::boolean[]) as c (task_id, entitlement_id, added)
    join task t on t.org_id = ${tx.orgId} and t.id = c.task_id
    join ${entitlements} e on e.org_id = ${tx.orgId} and e.app_id = t.app_id and e.id = c.entitlement_id ${end}`;
  const { numAffectedRows } = await writeMany(tx, rows.length, (end) => insert(end).execute(tx));
  return Number(numAffectedRows ?? 0);
}

/** A task that takes the place of another one. */
export interface Resumed {
  id: string;
  account_id: string;
  retry_of: string;
}

/** Inserts tasks that remove what these tasks wait for, due now. */
export async function insertResumed(tx: OrgTx, taskIds: readonly string[]): Promise<Resumed[]> {
  const rows = await many<Resumed>(tx)`
    insert into task (org_id, app_id, account_id, action, execute_after, task_type, source_type, source_id, source_label,
      created_by, reason, leaving, preconditions, retry_of, attempt, released_at, released_by)
    select ${tx.orgId}::uuid, app_id, account_id, action, greatest(execute_after, clock_now()), task_type, source_type, source_id,
      source_label, created_by,
      reason, leaving, preconditions, id, attempt, released_at, released_by
    from task where org_id = ${tx.orgId} and id = any(${taskIds}::uuid[]) order by number
    returning id, account_id, retry_of`;
  await run(tx)`
    insert into task_change (org_id, task_id, entitlement_id, added, name)
    select ${tx.orgId}::uuid, g.id, c.entitlement_id, c.added, c.name
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ retry_of }) => retry_of)}::uuid[]) as g (id, retry_of)
    join task t on t.org_id = ${tx.orgId} and t.id = g.retry_of
    join task_change c on c.org_id = ${tx.orgId} and c.task_id = t.id and ${isOutstanding('c')}`;
  return rows;
}

/** Deletes tasks that were inserted in this transaction and that nobody needs. */
export async function deleteInserted(tx: OrgTx, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length === 0) return;
  await run(tx)`
    delete from task_change where org_id = ${tx.orgId} and task_id = any(${taskIds}::uuid[])`;
  await run(tx)`delete from task where org_id = ${tx.orgId} and id = any(${taskIds}::uuid[])`;
}

/**
 * Inserts a task that repeats a failed one with all its changes, due after some seconds, and waits for what that one left out. Returns
 * its id.
 */
export async function insertRetry(tx: OrgTx, taskId: string, afterSeconds: number): Promise<string> {
  const rows = await many<{ id: string }>(tx)`
    insert into task (org_id, app_id, account_id, action, execute_after, task_type, source_type, source_id, source_label,
      created_by, reason, leaving, left_out, awaits_return_until, preconditions, retry_of, attempt, released_at, released_by)
    select ${tx.orgId}::uuid, app_id, account_id, action, clock_now() + ${afterSeconds} * interval '1 second', task_type,
      source_type, source_id, source_label, created_by, reason, leaving, left_out, awaits_return_until, preconditions, id, attempt + 1, released_at, released_by
    from task where org_id = ${tx.orgId} and id = ${taskId}
    returning id`;
  const id = rows[0]?.id as string;
  await run(tx)`
    insert into task_change (org_id, task_id, entitlement_id, added, name, spared, away)
    select ${tx.orgId}::uuid, ${id}::uuid, entitlement_id, added, name, spared, away from task_change
    where org_id = ${tx.orgId} and task_id = ${taskId}`;
  await endWaiting(tx, [taskId]);
  return id;
}
