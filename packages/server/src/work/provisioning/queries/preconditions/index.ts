import { accountStatus } from './account-status.ts';
import { changeNeeded } from './change-needed.ts';
import { lastHolder } from './last-holder.ts';
import { notDerived } from './not-derived.ts';
import { notLastMember } from './not-last-member.ts';
import { notRegranted } from './not-regranted.ts';
import type { PreconditionKind, PreconditionRule } from './precondition.ts';
import { userActive } from './user-active.ts';
import { userInactive } from './user-inactive.ts';

export { grantedElsewhere } from './last-holder.ts';
export { wouldBeEmpty } from './not-last-member.ts';
export type { PreconditionKind } from './precondition.ts';

/** Every kind of precondition, in the order in which they are checked. */
export const PRECONDITIONS: Readonly<Record<PreconditionKind, PreconditionRule>> = {
  user_active: userActive,
  user_inactive: userInactive,
  account_status: accountStatus,
  change_needed: changeNeeded,
  not_regranted: notRegranted,
  not_derived: notDerived,
  last_holder: lastHolder,
  not_last_member: notLastMember,
};
