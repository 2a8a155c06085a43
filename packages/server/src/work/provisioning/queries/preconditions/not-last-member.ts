import {
  accounts,
  entitlements,
  giversOf,
  isHighRiskGroup,
  isOwnAccount,
  isUsableMember,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { reasonSentences } from '../../reason-sentences.ts';
import type { PreconditionRule } from './precondition.ts';

/*
 * A group whose risk is high loses its last member by a person's decision only (D66). The members whose removal is under
 * way do not count: otherwise, the members of a group whose tasks are due together would all be removed. `offset 0` makes
 * the planner look at the members of one group, the tasks of one account and the changes of one task. It would read all of them for a join.
 */

/**
 * A task that is due, or that a connector has, takes the membership `m` in group `e`, or what gives it (D68). The account of the connector stays. Of tasks under the same
 * rule as task `t` that can still be stopped, only those before `t` count, so that exactly the last one of those due together stays.
 */
const isLeaving = (org: Org) => sql`exists (
  select from (select * from task every where every.org_id = ${org.orgId} and every.account_id = m.account_id offset 0) o
  where (o.status = 'pending' or o.status = 'scheduled' and o.execute_after <= clock_now())
    and (o.dispatched_at is not null or o.number < t.number
      or not coalesce(o.preconditions @> '[{"kind": "not_last_member"}]', false))
    and (o.action in ('delete_account', 'suspend_account') and not ${isOwnAccount(org, sql`m.account_id`)} or exists (
      select from task_change d
      where d.org_id = ${org.orgId} and d.task_id = o.id and not d.added and not d.spared
        and (d.entitlement_id = e.id or d.entitlement_id in (select giver.id from ${giversOf(org, 'm')} giver))
      offset 0))
  offset 0)`;

/**
 * Newer members first: a review removes members in the order of their accounts, so that the first one found stays for all tasks but
 * the last. In the other order, each task would look at all members before it.
 */
const newestFirst = sql`order by m.account_id desc offset 0`;

/** Whether the group `e` has a high risk, and task `t` would take its last usable member, this account. `accountId` is SQL. */
export const wouldBeEmpty = (org: Org, accountId: RawBuilder<unknown>): RawBuilder<boolean> => sql`(
  ${isHighRiskGroup('e')} and not exists (
    select from ${memberships} m
    join ${accounts} a on a.org_id = ${org.orgId} and a.id = m.account_id
    where m.org_id = ${org.orgId} and m.entitlement_id = e.id and m.account_id <> ${accountId}
      and ${isUsableMember('a')} and not ${isLeaving(org)}
    ${newestFirst}))`;

/**
 * Holds unless the task takes an account away that is the last member of a group whose risk is high. An update_account leaves
 * out the removal instead (left-out.ts).
 */
export const notLastMember: PreconditionRule = {
  holds: (orgId) => sql`(t.action = 'update_account' or not exists (
    select from ${memberships} own
    join ${entitlements} e on e.org_id = ${orgId} and e.id = own.entitlement_id
    where own.org_id = ${orgId} and own.account_id = t.account_id
      and ${wouldBeEmpty({ orgId }, sql`t.account_id`)}))`,
  reason: reasonSentences.task_last_member_kept(),
};
