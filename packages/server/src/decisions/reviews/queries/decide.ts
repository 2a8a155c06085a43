import { type RawBuilder, sql } from 'kysely';
import { isoTime } from '#kit/sql.ts';
import {
  accounts,
  entitlements,
  type Giver,
  holds,
  isOwnAccount,
  memberships,
} from '../../../inventory/records/facts.ts';
import { writeMany } from '../../../kit/database/foreign-keys.ts';
import type { Org, OrgTx } from '../../../kit/database/organization.ts';
import { many, one, run, value, values } from '../../../kit/database/statements.ts';
import type { CycleStatus, Decision, ItemKind, Settings } from '../cycle.ts';
import type { KeptFor, TaskOfItem } from './kept.ts';
import { inPlaceOf, type ReviewingPerson } from './reviewing.ts';

/** A cycle under the lock that everybody who decides its items takes. */
export interface LockedCycle {
  id: string;
  campaign_id: string;
  status: CycleStatus;
  settings: Settings;
  is_due: boolean;
  now: Date;
}

/** Returns undefined for a cycle that is waiting, because it has no items yet. */
export async function lockCycle(tx: OrgTx, cycleId: string): Promise<LockedCycle | undefined> {
  const cycle = await one<Omit<LockedCycle, 'now'>>(tx)`
    select id, campaign_id, status, settings, coalesce(due_at <= clock_now(), false) as is_due from review_cycle
    where org_id = ${tx.orgId} and id = ${cycleId} and begun_at is not null for no key update`;
  if (cycle === undefined) return undefined;
  // Read after waiting for the lock, so that the times of decisions follow the order of the lock.
  const clock = await value<Date | undefined>(tx)`select clock_now() as now`;
  return { ...cycle, now: clock as Date };
}

export interface LockedItem {
  id: string;
  kind: ItemKind;
  /** The person whose access it is: the one who remains, if the record of the item was merged. */
  user_id: string | null;
  reviewers: string[];
  decision: Decision | null;
  comment: string | null;
  /** Null: undecided, or nobody responded in time. */
  decided_by: string | null;
  decided_at: Date | null;
  app_id: string;
  account_id: string;
  task_id: string | null;
  at_giver: boolean;
}

export const lockItems = (tx: OrgTx, cycleId: string, itemIds: string[]) => many<LockedItem>(tx)`
    select i.id, i.kind, i.reviewers, i.decision, i.comment, i.decided_by, i.decided_at, i.app_id,
      i.account_id, i.task_id, i.at_giver, coalesce((
        select u.merged_into from platform_user u where u.org_id = ${tx.orgId} and u.id = i.user_id), i.user_id) as user_id
    from review_item i
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
    order by i.id for no key update of i`;

export const nextUndecided = (tx: OrgTx, cycleId: string, limit: number) => values<string>(tx)`
    select id from review_item
    where org_id = ${tx.orgId} and cycle_id = ${cycleId} and decision is null
    order by org_id, cycle_id, id limit ${limit} for no key update`;

export interface Verdict {
  decision: Decision;
  comment: string | null;
  /** Null: no reviewer responded in time. */
  decidedBy: string | null;
  /** The person of `decidedBy`. */
  reviewer?: ReviewingPerson;
  at: Date;
  /** For a revocation: whether to remove what gives the access (D68). */
  atGiver?: boolean;
}

/**
 * Decides these items, keeps an earlier decision in `earlier`, and detaches the task of that decision. The caller has locked
 * the items.
 */
export async function setDecision(
  tx: OrgTx,
  cycleId: string,
  itemIds: string[],
  { decision, comment, decidedBy, reviewer, at, atGiver = false }: Verdict,
): Promise<void> {
  await keepEarlier(tx, cycleId, itemIds);
  const update = (end: RawBuilder<unknown>) => sql`
    update review_item i set task_id = null, revoked_at = null, kept_by = null, kept_for = null, at_giver = ${atGiver},
      decision = ${decision}, comment = ${comment}, decided_by = ${decidedBy},
      on_behalf_of = ${reviewer === undefined ? sql`null` : inPlaceOf(reviewer)}, decided_at = ${at.toISOString()}
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]) ${end}`;
  await writeMany(tx, itemIds.length, (end) => update(end).execute(tx));
}

/** Makes these decided items undecided again, keeps the decision in `earlier`, and detaches its task. The caller has locked the items. */
export async function withdrawDecision(tx: OrgTx, cycleId: string, itemIds: string[]): Promise<void> {
  await keepEarlier(tx, cycleId, itemIds);
  await run(tx)`
    update review_item i set task_id = null, revoked_at = null, kept_by = null, kept_for = null, at_giver = false, decision = null,
      comment = null, decided_by = null, on_behalf_of = null, decided_at = null
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])`;
}

/** Adds the decisions of these items to `earlier`. */
async function keepEarlier(tx: OrgTx, cycleId: string, itemIds: string[]): Promise<void> {
  const decided = await many<{ id: string; earlier: string }>(tx)`
    select id, (earlier || jsonb_build_object('decision', decision, 'comment', comment, 'decided_by', decided_by,
      'on_behalf_of', on_behalf_of,
      'decided_at', ${isoTime(sql`decided_at`)}))::text as earlier
    from review_item
    where org_id = ${tx.orgId} and cycle_id = ${cycleId} and id = any(${itemIds}::uuid[])
      and decision is not null`;
  if (decided.length > 0)
    await run(tx)`
      update review_item i set earlier = g.earlier::jsonb
      from unnest(${decided.map(({ id }) => id)}::uuid[], ${decided.map(({ earlier }) => earlier)}::text[])
        as g (id, earlier)
      where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = g.id`;
}

/** Adds to the cycle's counts of decisions. The last decision completes the cycle. Returns whether this one did. */
export async function countDecisions(
  tx: OrgTx,
  cycleId: string,
  { kept, revoked, at }: { kept: number; revoked: number; at: Date },
): Promise<boolean> {
  return (
    (await value<boolean | undefined>(tx)`
    update review_cycle set kept = kept + ${kept}, revoked = revoked + ${revoked},
      status = case when kept + ${kept} + revoked + ${revoked} = items then 'completed' else status end,
      completed_at = case when completed_at is null and kept + ${kept} + revoked + ${revoked} = items
        then ${at.toISOString()}::timestamptz else completed_at end
    where org_id = ${tx.orgId} and id = ${cycleId}
    returning old.status <> 'completed' and new.status = 'completed' as completed`) === true
  );
}

/** Detaches these tasks from their items. Returns the ids of the items. */
export const detachTasks = (tx: OrgTx, cycleId: string, taskIds: string[]) => values<string>(tx)`
    update review_item set task_id = null
    where org_id = ${tx.orgId} and cycle_id = ${cycleId} and task_id = any(${taskIds}::uuid[])
    returning id`;

export async function attachTasks(
  tx: OrgTx,
  cycleId: string,
  pairs: { item: string; task: string }[],
): Promise<void> {
  const update = (end: RawBuilder<unknown>) => sql`
    update review_item i set task_id = p.task
    from unnest(${pairs.map(({ item }) => item)}::uuid[], ${pairs.map(({ task }) => task)}::uuid[]) as p (item, task)
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = p.item ${end}`;
  await writeMany(tx, pairs.length, (end) => update(end).execute(tx));
}

/**
 * Whether no person decided item `i`, and it is the account with which a connector signs in, or an account in a group whose risk is
 * high (D66).
 */
const mayStay = (
  org: Org,
) => sql`(i.decided_by is null and i.entitlement_id is null and (${isOwnAccount(org, sql`i.account_id`)} or exists (
  select from ${memberships} m
  join ${entitlements} e on e.org_id = ${org.orgId} and e.id = m.entitlement_id and e.type = 'group' and e.risk = 'high'
  where m.org_id = ${org.orgId} and m.account_id = i.account_id offset 0)))`;

interface ItemDecision {
  account_id: string;
  /** Null for the account itself. */
  entitlement_id: string | null;
  /** Null: undecided. */
  decision: Decision | null;
  /** Null: undecided, or nobody responded in time. */
  decided_by: string | null;
  may_stay: boolean;
}

/** Returns the decisions about these accounts and what they have. */
export async function decisionsAbout(
  tx: OrgTx,
  cycleId: string,
  accountIds: string[],
): Promise<ItemDecision[]> {
  if (accountIds.length === 0) return [];
  return many<ItemDecision>(tx)`
    select i.account_id, i.entitlement_id, i.decision, i.decided_by, ${mayStay(tx)} as may_stay from review_item i
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.account_id = any(${accountIds}::uuid[])`;
}

/** Returns the other items whose task removes what these items are about, because it gives their access (D68). */
export const carriedOutAt = (tx: OrgTx, cycleId: string, itemIds: string[]) => many<TaskOfItem>(tx)`
    select i.* from review_item g cross join lateral (
      select o.id, o.app_id, o.account_id, o.task_id from review_item o
      where o.org_id = ${tx.orgId} and o.cycle_id = ${cycleId} and o.account_id = g.account_id
        and o.revoked_at ->> 'external_uuid' = g.entitlement_id::text and o.id <> all(${itemIds}::uuid[])
        and o.task_id is not null
      offset 0) i
    where g.org_id = ${tx.orgId} and g.cycle_id = ${cycleId} and g.id = any(${itemIds}::uuid[])`;

/** The giver that is removed instead of the access of a revoked item, or the reason why the access stays (D68). */
export interface Note {
  id: string;
  revoked_at: Giver | null;
  /** The giver of the access, which stays. */
  kept_by: Giver | null;
  /** Access that the account would lose as well, although a person keeps it. */
  kept_for: KeptFor | null;
}

export const noteOn = (tx: OrgTx, cycleId: string, notes: readonly Note[]) => run(tx)`
    update review_item i set revoked_at = n.revoked_at, kept_by = n.kept_by, kept_for = n.kept_for
    from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb)
      as n (id uuid, revoked_at jsonb, kept_by jsonb, kept_for jsonb)
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = n.id`;

/** Locks the apps of these items until `tx` ends, so that they are neither archived nor published into. */
export const lockAppsOf = (tx: OrgTx, cycleId: string, itemIds: string[]) => run(tx)`
    select from app p
    where p.org_id = ${tx.orgId} and p.id in (
      select i.app_id from review_item i
      where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]))
    order by p.id for share`;

/** Returns the account items among these whose account a connector signs in with (D66). */
export const ownAccounts = (tx: OrgTx, cycleId: string, itemIds: string[]) => many<{
  app_name: string;
  account: string;
}>(tx)`
    select i.app_name, coalesce(nullif(i.account_email, ''), i.account_username) as account
    from review_item i
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]) and i.kind = 'account'
      and ${isOwnAccount(tx, sql`i.account_id`)}
    order by i.id limit 1`;

export interface Revocable {
  id: string;
  kind: ItemKind;
  app_id: string;
  account_id: string;
  entitlement_id: string | null;
  decided_by: string | null;
  decided_at: Date;
  comment: string | null;
  /** The giver of the access, which is removed instead (D68). */
  revoked_at: Giver | null;
  /** Whether the person who revoked it chose that. */
  at_giver: boolean;
  /** Whether it is an account that silence may not be able to delete (D66). */
  may_stay: boolean;
}

/**
 * Whether the access of item `i`, with the account `a`, is gone according to the inventory. `suspends`: whether the
 * cycle revokes accounts by suspending them.
 */
export const isGone = (org: Org, suspends: boolean | RawBuilder<unknown>) => sql`(
  ${isAbsent(org)} or a.status = 'INACTIVE' or (i.kind = 'account' and ${suspends} and a.status = 'SUSPENDED'))`;

/** Whether the account is removed, or does not hold the entitlement of the item. Its status does not count: it may pass. */
export const isAbsent = (org: Org) => sql`(
  a.removed_at is not null or (i.entitlement_id is not null
    and not ${holds(sql`${org.orgId}`, sql`i.account_id`, sql`i.entitlement_id`)}))`;

/** Returns the revoked items among these whose access still exists, by account. */
export const revocable = (
  tx: OrgTx,
  { id: cycleId, settings }: LockedCycle,
  itemIds: string[],
) => many<Revocable>(tx)`
    select i.id, i.kind, i.app_id, i.account_id, i.entitlement_id, i.decided_by, i.decided_at, i.comment,
      i.revoked_at, i.at_giver, ${mayStay(tx)} as may_stay
    from review_item i
    join ${accounts} a on a.org_id = i.org_id and a.id = i.account_id
    join app p on p.org_id = i.org_id and p.id = i.app_id and p.archived_at is null
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]) and i.decision = 'revoke'
      and not ${isGone(tx, settings.revoke_account_by === 'suspend')}
    order by i.account_id, i.id`;
