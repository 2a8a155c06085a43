import { accounts, memberships } from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { isGranted, isNeeded } from '#reasons/grants/facts.ts';
import { reasonSentences } from '../../reason-sentences.ts';
import type { PreconditionRule } from './precondition.ts';

/** Whether account `t.account_id` holds an entitlement that a sync found, and that nothing else gives. */
const holdsFound = (orgId: string, condition: RawBuilder<unknown>) => sql`exists (
  select from ${memberships} m
  where m.org_id = ${orgId} and m.account_id = t.account_id and not m.given and m.via_id is null and ${condition})`;

/** Whether what change `c` of task `t` removes stays: a grant on it is in force, or it was found (D73). */
export const isKept = ({ orgId }: Org) => sql`(
  ${isGranted(sql`${orgId}`, sql`t.account_id`, sql`c.entitlement_id`)}
  or ${holdsFound(orgId, sql`m.entitlement_id = c.entitlement_id`)})`;

/** Whether account `t.account_id` stays: a decision needs it, or it was found, or holds something that was. */
const keepsAccount = (orgId: string) => sql`(
  ${isNeeded(sql`${orgId}`, sql`t.account_id`)} or ${holdsFound(orgId, sql`true`)} or exists (
    select from ${accounts} a where a.org_id = ${orgId} and a.id = t.account_id and not a.given))`;

/**
 * Holds while no grant keeps the access that the task ends (D73). An update_account leaves out what stays: that is marked as spared first
 * (queries/preconditions.ts), and the task runs if anything is left.
 */
export const noGrant: PreconditionRule = {
  holds: (orgId) => sql`case t.action
    when 'delete_account' then not ${keepsAccount(orgId)}
    else exists (
      select from task_change c where c.org_id = ${orgId} and c.task_id = t.id and not c.added and not c.spared) end`,
  reason: reasonSentences.task_access_granted_longer(),
};
