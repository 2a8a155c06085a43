import { accounts } from '#inventory/records/accounts/facts.ts';
import { accountLinks } from '#inventory/records/history/link-facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { many, one, type RawBuilder, sql, value, values } from '#kit/sql.ts';
import { decidedAt, givesAccess, tasks, waitsForLeaving } from '#work/provisioning/facts.ts';
import type { Decision, GuardedKind } from './hold.ts';

/** The place of a person in an open or discarded hold. */
export interface Gate {
  user_id: string;
  hold_id: string;
  kind: GuardedKind;
  /** Whether they are the successor of somebody, and have just come. */
  is_successor: boolean;
  /** Null: the hold is open. */
  decision: 'discarded' | null;
}

const gating = sql`w.kind <> 'app' and w.held_at is not null and w.decision is distinct from 'confirmed'`;

/** The open holds of people and groups. Columns: org_id, id, client_id, count (of people), total, held_at. */
export const openHolds = sql`(
  select org_id, id, client_id, count, total, held_at from hold_window
  where kind <> 'app' and held_at is not null and decided_at is null)`;

/** Returns a text that differs whenever a hold has been opened or decided. Null: none is open or discarded. */
export async function holdsVersion(db: OrgDb): Promise<string | null> {
  return (
    (await value<string | null | undefined>(db)`
    select string_agg(w.id::text || coalesce(w.decision, ''), ' ' order by w.id) as version
    from hold_window w where w.org_id = ${db.orgId} and ${gating}`) ?? null
  );
}

/** Returns what open and discarded holds say about these people (null: all). */
export const findGates = (db: OrgDb, people: readonly string[] | null) => many<Gate>(db)`
    select c.user_id, w.id as hold_id, w.kind, c.type = 'successor' as is_successor, w.decision
    from hold_window w join hold_change c on c.org_id = ${db.orgId} and c.window_id = w.id
    where w.org_id = ${db.orgId} and ${gating} and (${people}::uuid[] is null or c.user_id = any(${people}::uuid[]))`;

/** Returns what open and discarded holds say about the people who had these accounts until they were deleted. `user_id` is that of the account. */
export async function findGatesOfOrphans(db: OrgDb, accountIds: readonly string[]): Promise<Gate[]> {
  if (accountIds.length === 0) return [];
  return many<Gate>(db)`
    select l.account_id as user_id, w.id as hold_id, w.kind, c.type = 'successor' as is_successor, w.decision
    from ${accountLinks(db)} l
    join hold_change c on c.org_id = ${db.orgId} and c.user_id = l.user_id
    join hold_window w on w.org_id = ${db.orgId} and w.id = c.window_id
    where l.account_id = any(${accountIds}::uuid[]) and ${gating}
      and not exists (select from platform_user u where u.org_id = ${db.orgId} and u.id = l.user_id)`;
}

/**
 * Whether a policy decided task `t` because of change `c`: since then, or because the person had left before. Others have another
 * reason.
 */
export const isBecauseOf = (org: Org): RawBuilder<boolean> => sql`(
  t.source_type = 'policy' and (${decidedAt(org, 't')} >= c.at or ${waitsForLeaving('t', sql`c.user_id`)}))`;

/** A place of the person of a task in an open or discarded hold, because of which the policy has decided it. */
export interface TaskGateRow extends Omit<Gate, 'user_id'> {
  task_id: string;
  policy_id: string;
}

/** Returns what open and discarded holds say about these tasks of policies, also if the people were deleted since. */
export async function findGatesOfTasks(
  db: OrgDb,
  candidates: readonly { id: string; account_id: string }[],
): Promise<TaskGateRow[]> {
  const ids = candidates.map(({ id }) => id);
  const accountIds = [...new Set(candidates.map(({ account_id }) => account_id))];
  return many<TaskGateRow>(db)`
    with holder as (
      select a.id as account_id, a.user_id from ${accounts} a
      where a.org_id = ${db.orgId} and a.id = any(${accountIds}::uuid[]) and a.user_id is not null
      union
      select l.account_id, l.user_id from ${accountLinks(db)} l
      where l.account_id = any(${accountIds}::uuid[])
        and not exists (select from platform_user u where u.org_id = ${db.orgId} and u.id = l.user_id)
    )
    select t.id as task_id, t.source_id as policy_id, w.id as hold_id, w.kind, c.type = 'successor' as is_successor, w.decision
    from ${tasks} t
    join holder on holder.account_id = t.account_id
    join hold_change c on c.org_id = ${db.orgId} and c.user_id = holder.user_id
    join hold_window w on w.org_id = ${db.orgId} and w.id = c.window_id
    where t.org_id = ${db.orgId} and t.id = any(${ids}::uuid[]) and ${gating} and ${isBecauseOf(db)}`;
}

/** Whether a person has left in a hold that is open. `userId` is an SQL expression. */
export const hasLeftOnHold = (org: Org, userId: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
  select from hold_change c join hold_window w on w.org_id = ${org.orgId} and w.id = c.window_id
  where c.org_id = ${org.orgId} and c.user_id = ${userId} and c.type <> 'successor'
    and w.kind = 'people' and w.held_at is not null and w.decided_at is null)`;

/** The organizations with decided holds of which something still waits, with when they were decided, as SQL. */
export const unsettledHolds = sql`(
  select w.org_id, w.decided_at from hold_window w where w.decided_at is not null and w.settled_at is null)`;

export interface Unsettled {
  id: string;
  decision: Decision;
  decided_by: string;
  decided_at: Date;
  reason: string | null;
}

/** Returns the hold that was decided first and of which something still waits. */
export const nextUnsettled = (db: OrgDb) => one<Unsettled>(db)`
    select id, decision, decided_by, decided_at, reason from hold_window
    where org_id = ${db.orgId} and decided_at is not null and settled_at is null
    order by decided_at, id limit 1`;

/** A task that waits in a hold, with the person of its account. */
export interface TaskOnHold {
  id: string;
  app_id: string;
  account_id: string;
  user_id: string | null;
  action: string;
  /** Whether it gives access. */
  gives: boolean;
  /** The people whose the account is, or was in the last 30 days. */
  holders: string[];
  /** The policy that made it. */
  policy_id: string;
}

/** Returns the next tasks that wait in a hold, in the order of their creation. */
export const tasksOnHold = (db: OrgDb, holdId: string, limit: number) => many<TaskOnHold>(db)`
    select t.id, t.app_id, t.account_id, a.user_id, t.action, t.source_id as policy_id,
      ${givesAccess(db, 't')} as gives,
      array(select l.user_id::text from ${accountLinks(db)} l where l.account_id = t.account_id
        and (l.ended_at is null or l.ended_at > clock_now() - interval '30 days')) as holders
    from ${tasks} t join ${accounts} a on a.org_id = ${db.orgId} and a.id = t.account_id
    where t.org_id = ${db.orgId} and t.hold_id = ${holdId} and t.status = 'scheduled' and t.waits_for = 'hold'
    order by t.number limit ${limit}`;

/** Returns those of these holds that are open. */
export const openHoldsAmong = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select h.id from ${openHolds} h where h.org_id = ${db.orgId} and h.id = any(${ids}::uuid[])`;

/** Returns the number of open holds of each of these clients, by client, without zeros. */
export async function countOpenHolds(db: OrgDb, clients: readonly string[]): Promise<Map<string, number>> {
  const rows = await many<{ id: string; n: number }>(db)`
    select h.client_id as id, count(*) as n from ${openHolds} h
    where h.org_id = ${db.orgId} and h.client_id = any(${clients}::uuid[]) group by h.client_id`;
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** Returns the last hold of the tasks of an app that exceed its budget. Undefined: none has begun. */
export const lastHoldOfApp = (db: OrgDb, appId: string) => value<string | undefined>(db)`
    select id from hold_window
    where org_id = ${db.orgId} and kind = 'app' and subject = ${appId} order by held_at desc limit 1`;
