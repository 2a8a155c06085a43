import { accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { many, one, run, value, values } from '#kit/sql.ts';
import type { CycleStatus, Decision, ItemKind, Settings } from '../cycle.ts';

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
  /** The person whose account it is now. */
  holder_id: string | null;
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
        select u.merged_into from platform_user u where u.org_id = ${tx.orgId} and u.id = i.user_id), i.user_id) as user_id,
      (select a.user_id from ${accounts} a where a.org_id = ${tx.orgId} and a.id = i.account_id) as holder_id
    from review_item i
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
    order by i.id for no key update of i`;

export const nextUndecided = (tx: OrgTx, cycleId: string, limit: number) => values<string>(tx)`
    select id from review_item
    where org_id = ${tx.orgId} and cycle_id = ${cycleId} and decision is null
    order by org_id, cycle_id, id limit ${limit} for no key update`;

/** Locks the apps of these items until `tx` ends, so that they are neither archived nor published into. */
export const lockAppsOf = (tx: OrgTx, cycleId: string, itemIds: string[]) => run(tx)`
    select from app p
    where p.org_id = ${tx.orgId} and p.id in (
      select i.app_id from review_item i
      where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]))
    order by p.id for share`;
