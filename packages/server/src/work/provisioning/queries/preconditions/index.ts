import { accounts, holds, holdsDirectly } from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { grants, isOpen } from '#reasons/grants/facts.ts';
import { decidedAt } from '../../facts.ts';
import { reasonSentences } from '../../reason-sentences.ts';
import { noGrant } from './no-grant.ts';
import { noSuspension } from './no-suspension.ts';
import { notLastMember } from './not-last-member.ts';
import type { PreconditionKind, PreconditionRule } from './precondition.ts';

export { isKept } from './no-grant.ts';
export { wouldBeEmpty } from './not-last-member.ts';
export type { PreconditionKind } from './precondition.ts';

/** Holds while the person is active. Without it, access that was approved for a leaver would still be granted. */
const userActive: PreconditionRule = {
  holds: (orgId) => sql`exists (
    select from platform_user u
    where u.org_id = ${orgId} and u.id = (p.value ->> 'user_id')::uuid and u.status = 'active')`,
  reason: reasonSentences.task_person_inactive(),
};

/** Holds while the person is deactivated or deleted. Without it, a rehired person would lose access. */
const userInactive: PreconditionRule = {
  holds: (orgId) => sql`not ${userActive.holds(orgId)}`,
  reason: reasonSentences.task_person_active(),
};

/** Whether the people whom the conditions of task `t` name are still active, or have not come back (D74). */
export const personIsAsDecided = ({
  orgId,
}: Org): RawBuilder<boolean> => sql`(t.preconditions = '[]' or not exists (
  select from jsonb_array_elements(t.preconditions) p
  where p.value ->> 'kind' in ('user_active', 'user_inactive')
    and (p.value ->> 'kind' = 'user_active') <> ${userActive.holds(orgId)}))`;

/** Holds while the account has one of the statuses in `in`. */
const accountStatus: PreconditionRule = {
  holds: (orgId) => sql`exists (
    select from ${accounts} a where a.org_id = ${orgId} and a.id = t.account_id and p.value -> 'in' ? a.status)`,
  reason: reasonSentences.task_account_status_changed(),
};

/** Holds while the task would change something: the account lacks an entitlement to add, or holds one to remove. */
const changeNeeded: PreconditionRule = {
  holds: (orgId) => sql`exists (
    select from task_change c
    where c.org_id = ${orgId} and c.task_id = t.id
      and c.added <> ${holds(sql`${orgId}`, sql`t.account_id`, sql`c.entitlement_id`)})`,
  reason: reasonSentences.task_change_needless(),
};

/** Holds unless somebody has granted what this task removes since it was decided (D73). A restore does not decide about that (D75). */
const notRegranted: PreconditionRule = {
  holds: (orgId) => sql`not exists (
    select from task_change removed
    join ${grants} newer on newer.org_id = ${orgId} and newer.account_id = t.account_id
      and newer.entitlement_id = removed.entitlement_id and ${isOpen('newer')} and newer.kind <> 'restore'
      and newer.recorded_at > ${decidedAt({ orgId }, 't')}
    where removed.org_id = ${orgId} and removed.task_id = t.id and not removed.added)`,
  reason: reasonSentences.task_access_regranted(),
};

const removed = (orgId: string, held: RawBuilder<boolean>) => sql`exists (
  select from task_change c
  where c.org_id = ${orgId} and c.task_id = t.id and not c.added and not c.spared and ${held})`;

/** Holds unless something else gives all that is left of what the task would remove (D68). Its connector could not remove it. */
const notDerived: PreconditionRule = {
  holds: (orgId) => {
    const change = [sql`${orgId}`, sql`t.account_id`, sql`c.entitlement_id`] as const;
    return sql`(not ${removed(orgId, holds(...change))} or ${removed(orgId, holdsDirectly(...change))})`;
  },
  reason: reasonSentences.task_access_derived(),
};

/** Every kind of precondition, in the order in which they are checked. */
export const PRECONDITIONS: Readonly<Record<PreconditionKind, PreconditionRule>> = {
  user_active: userActive,
  user_inactive: userInactive,
  account_status: accountStatus,
  change_needed: changeNeeded,
  not_regranted: notRegranted,
  not_derived: notDerived,
  no_grant: noGrant,
  no_suspension: noSuspension,
  not_last_member: notLastMember,
};
