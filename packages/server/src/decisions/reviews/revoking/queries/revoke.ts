import {
  accounts,
  entitlements,
  type Giver,
  holds,
  isOwnAccount,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql, values, writeMany } from '#kit/sql.ts';
import type { Decision, ItemKind } from '../../campaigns/cycle.ts';
import type { LockedCycle } from '../../campaigns/queries/locks.ts';
import type { KeptFor, TaskOfItem } from './kept.ts';

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
const isAbsent = (org: Org) => sql`(
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
