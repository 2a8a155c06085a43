import { ableOf } from '#directory/deciders/facts.ts';
import { accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import type { Reassigned } from '../../campaigns/cycle.ts';
import { fallbackOfCycle, fromAndTo, handedOver } from './reassign.ts';

/** Gives undecided items of open cycles the person whose the account is now, who does not review them. */
export function moveItemsToHolders(tx: OrgTx, accountIds: readonly string[]): Promise<Reassigned[]> {
  const able = (list: RawBuilder<unknown>) => ableOf(tx, list, sql`a.user_id`);
  return many<Reassigned>(tx)`
    update review_item i set user_id = a.user_id, user_email = u.email,
      user_name = trim(u.first_name || ' ' || u.last_name),
      reviewers = coalesce(nullif(${able(sql`i.reviewers`)}, '{}'), ${able(fallbackOfCycle)}),
      escalated_to = case when i.escalated_to is not null then ${able(sql`i.escalated_to`)} end
    from review_cycle y, ${accounts} a left join platform_user u on u.org_id = a.org_id and u.id = a.user_id
    where i.org_id = ${tx.orgId} and y.org_id = ${tx.orgId} and a.org_id = ${tx.orgId} and y.id = i.cycle_id
      and y.status <> 'completed' and i.decision is null and i.account_id = any(${[...accountIds]}::uuid[])
      and a.id = i.account_id and a.user_id is distinct from i.user_id
    returning ${handedOver}, ${fromAndTo}`;
}

/** Replaces a person in the undecided items of open cycles, which they review or which are about them. */
export async function moveItems(tx: OrgTx, fromId: string, intoId: string): Promise<Reassigned[]> {
  const isAbout = (person: string) => sql`i.user_id = ${person}::uuid`;
  const isReviewedBy = (person: string) =>
    sql`(i.reviewers @> array[${person}::uuid] or i.escalated_to @> array[${person}::uuid])`;
  const both = [fromId, intoId];
  const reviewed = sql`array_replace(i.reviewers, ${fromId}::uuid, ${intoId}::uuid)`;
  const escalated = sql`array_replace(i.escalated_to, ${fromId}::uuid, ${intoId}::uuid)`;
  // Neither of the two reviews an item about either.
  const able = (list: RawBuilder<unknown>) =>
    ableOf(tx, list, sql`case when i.user_id = any(${both}::uuid[]) then ${intoId}::uuid end`);
  return many<Reassigned>(tx)`
    update review_item i set reviewers = coalesce(nullif(${able(reviewed)}, '{}'), ${able(fallbackOfCycle)}),
      escalated_to = case when i.escalated_to is not null then ${able(escalated)} end,
      user_id = case when ${isAbout(fromId)} then ${intoId}::uuid else i.user_id end
    from review_cycle y
    where i.org_id = ${tx.orgId} and y.org_id = ${tx.orgId} and y.id = i.cycle_id and y.status <> 'completed'
      and i.decision is null
      and (${isAbout(fromId)} or ${isReviewedBy(fromId)} or ${isAbout(intoId)} and ${isReviewedBy(intoId)})
    returning ${handedOver}, ${fromAndTo}`;
}

/** Moves the items of open cycles about duplicates to the accounts that they are merged into, unless these have such an item themselves. */
export const moveToAccounts = (
  tx: OrgTx,
  merges: readonly { account_id: string; duplicate_id: string }[],
) => run(tx)`
    update review_item i set account_id = m.account_id
    from unnest(${merges.map((one) => one.account_id)}::uuid[], ${merges.map((one) => one.duplicate_id)}::uuid[])
      as m (account_id, duplicate_id)
    where i.org_id = ${tx.orgId} and i.account_id = m.duplicate_id
      and i.cycle_id in (select y.id from review_cycle y where y.org_id = ${tx.orgId} and y.status = 'in_progress')
      and not exists (
      select from review_item o
      where o.org_id = ${tx.orgId} and o.cycle_id = i.cycle_id and o.account_id = m.account_id
        and o.entitlement_id is not distinct from i.entitlement_id)`;
