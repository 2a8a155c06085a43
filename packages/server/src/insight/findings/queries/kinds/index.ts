import type { KindName } from '../../finding.ts';
import { dormantPrivileged } from './dormant-privileged.ts';
import { grantOfAnotherPerson } from './grant-of-another-person.ts';
import { groupWithoutOwner } from './group-without-owner.ts';
import { heldPolicy } from './held-policy.ts';
import { heldSync } from './held-sync.ts';
import type { Kind } from './kind.ts';
import { lastMemberLeft } from './last-member-left.ts';
import { leaverWithAccess } from './leaver-with-access.ts';
import { lookalikeNames } from './lookalike-names.ts';
import { missingAccess } from './missing-access.ts';
import { orphanedAccount } from './orphaned-account.ts';
import { overdue } from './overdue-sync.ts';
import { ownAfterwards } from './own-afterwards.ts';
import { peopleChangeHeld } from './people-change-held.ts';
import { privilegedWithoutMfa } from './privileged-without-mfa.ts';
import { returnedAfterRevocation } from './returned-after-revocation.ts';
import { reviewerCannotSignIn } from './reviewer-cannot-sign-in.ts';
import { taskWithoutFulfiller } from './task-without-fulfiller.ts';
import { unownedAccount } from './unowned-account.ts';
import { hiddenAccess } from './unseen-access.ts';

/** Everything that can be wrong in an organization. */
export const KINDS: Record<KindName, Kind> = {
  leaver_with_access: leaverWithAccess,
  held_sync: heldSync,
  held_policy: heldPolicy,
  people_change_held: peopleChangeHeld,
  overdue_sync: overdue,
  task_without_fulfiller: taskWithoutFulfiller,
  orphaned_account: orphanedAccount,
  unowned_account: unownedAccount,
  unseen_access: hiddenAccess,
  grant_of_another_person: grantOfAnotherPerson,
  reviewer_cannot_sign_in: reviewerCannotSignIn,
  own_afterwards: ownAfterwards,
  last_member_left: lastMemberLeft,
  dormant_privileged: dormantPrivileged,
  privileged_without_mfa: privilegedWithoutMfa,
  group_without_owner: groupWithoutOwner,
  returned_after_revocation: returnedAfterRevocation,
  lookalike_names: lookalikeNames,
  missing_access: missingAccess,
};
