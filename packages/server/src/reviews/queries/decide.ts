import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/open.ts';
import type { CycleStatus, Decision, ItemKind, Settings } from '../cycle.ts';

/** A cycle under the lock that everything takes which decides its items. */
export interface LockedCycle {
  id: string;
  status: CycleStatus;
  settings: Settings;
  is_due: boolean;
  now: Date;
}

/** Undefined while it waits for its turn: there is nothing in it yet. */
export async function lockCycle(tx: Tx, orgId: string, cycleId: string): Promise<LockedCycle | undefined> {
  const { rows } = await sql<LockedCycle>`
    select id, status, settings, coalesce(due_at <= clock_timestamp(), false) as is_due from review_cycle
    where org_id = ${orgId} and id = ${cycleId} and begun_at is not null for no key update`.execute(tx);
  const [cycle] = rows;
  if (cycle === undefined) return undefined;
  // Read after the wait for the lock, so that decisions stand in the order in which they were made.
  const clock = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
  return { ...cycle, now: clock.rows[0]?.now as Date };
}

export interface LockedItem {
  id: string;
  kind: ItemKind;
  user_id: string | null;
  reviewers: string[];
  decision: Decision | null;
  comment: string | null;
  decided_at: Date | null;
  task_id: string | null;
  /** The item that the task names as its source. */
  task_source: string | null;
}

export async function lockItems(
  tx: Tx,
  orgId: string,
  cycleId: string,
  itemIds: string[],
): Promise<LockedItem[]> {
  const { rows } = await sql<LockedItem>`
    select i.id, i.kind, i.user_id, i.reviewers, i.decision, i.comment, i.decided_at, i.task_id, t.source_id as task_source
    from review_item i left join task t on t.org_id = i.org_id and t.id = i.task_id
    where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
    order by i.id for no key update of i`.execute(tx);
  return rows;
}

export async function nextUndecided(
  tx: Tx,
  orgId: string,
  cycleId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from review_item
    where org_id = ${orgId} and cycle_id = ${cycleId} and decision is null
    order by org_id, cycle_id, id limit ${limit} for no key update`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface Verdict {
  decision: Decision;
  comment: string | null;
  /** Null: nobody answered in time. */
  decidedBy: string | null;
  at: Date;
}

/** What they said before is kept beside it; a task of that is not theirs any more. */
export async function setDecision(
  tx: Tx,
  orgId: string,
  cycleId: string,
  itemIds: string[],
  { decision, comment, decidedBy, at }: Verdict,
): Promise<void> {
  await sql`
    update review_item set
      earlier = case when decision is null then earlier else earlier || jsonb_build_object('decision', decision,
        'comment', comment, 'decided_by', decided_by, 'decided_at',
        to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end,
      task_id = null, decision = ${decision}, comment = ${comment}, decided_by = ${decidedBy}, decided_at = ${at.toISOString()}
    where org_id = ${orgId} and cycle_id = ${cycleId} and id = any(${itemIds}::uuid[])`.execute(tx);
}

/** The cycle is completed with its last decision. */
export async function countDecisions(
  tx: Tx,
  orgId: string,
  cycleId: string,
  { kept, revoked }: { kept: number; revoked: number },
): Promise<void> {
  await sql`
    update review_cycle set kept = kept + ${kept}, revoked = revoked + ${revoked},
      status = case when kept + ${kept} + revoked + ${revoked} = items then 'completed' else status end,
      completed_at = case when completed_at is null and kept + ${kept} + revoked + ${revoked} = items
        then clock_timestamp() else completed_at end
    where org_id = ${orgId} and id = ${cycleId}`.execute(tx);
}

/** Takes these tasks off their items; answers the items. */
export async function detachTasks(
  tx: Tx,
  orgId: string,
  cycleId: string,
  taskIds: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update review_item set task_id = null
    where org_id = ${orgId} and cycle_id = ${cycleId} and task_id = any(${taskIds}::uuid[])
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function attachTasks(
  tx: Tx,
  orgId: string,
  cycleId: string,
  pairs: { item: string; task: string }[],
): Promise<void> {
  await sql`
    update review_item i set task_id = p.task
    from unnest(${pairs.map(({ item }) => item)}::uuid[], ${pairs.map(({ task }) => task)}::uuid[]) as p (item, task)
    where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and i.id = p.item`.execute(tx);
}

/** The apps of these items, kept from being archived or published into until `tx` ends. */
export async function holdAppsOf(tx: Tx, orgId: string, cycleId: string, itemIds: string[]): Promise<void> {
  await sql`
    select from app p
    where p.org_id = ${orgId} and p.id in (
      select i.app_id from review_item i
      where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]))
    order by p.id for share`.execute(tx);
}

export interface Revocable {
  id: string;
  kind: ItemKind;
  app_id: string;
  account_id: string;
  entitlement_id: string | null;
  decided_by: string | null;
  decided_at: Date;
  comment: string | null;
}

/** Is the access of item `i` gone, `a` being its account, by what Gatehouse knows now? */
export const isGone = (suspends: boolean | ReturnType<typeof sql>) => sql`(
  a.removed_at is not null or a.status = 'INACTIVE' or (i.kind = 'account' and ${suspends} and a.status = 'SUSPENDED')
  or (i.entitlement_id is not null and not exists (
    select from membership m
    where m.org_id = i.org_id and m.account_id = i.account_id and m.entitlement_id = i.entitlement_id)))`;

/** Of these items, those that are to be revoked and whose access is still there, account by account. */
export async function revocable(
  tx: Tx,
  orgId: string,
  { id: cycleId, settings }: LockedCycle,
  itemIds: string[],
): Promise<Revocable[]> {
  const { rows } = await sql<Revocable>`
    select i.id, i.kind, i.app_id, i.account_id, i.entitlement_id, i.decided_by, i.decided_at, i.comment
    from review_item i
    join account a on a.org_id = i.org_id and a.id = i.account_id
    join app p on p.org_id = i.org_id and p.id = i.app_id and p.archived_at is null
    where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]) and i.decision = 'revoke'
      and not ${isGone(settings.revoke_account_by === 'suspend')}
    order by i.account_id, i.id`.execute(tx);
  return rows;
}

/** Items that this person may decide: `i`. Their own access never is. */
export const isMine = (userId: string, isAdministrator: boolean) => sql`
  i.user_id is distinct from ${userId}::uuid and (i.reviewers @> array[${userId}::uuid]
    or (${isAdministrator} and i.reviewers = '{}'))`;

export async function hasItemsFor(db: Db, orgId: string, cycleId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from review_item i
    where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and ${isMine(userId, false)} limit 1`.execute(db);
  return rows.length > 0;
}
