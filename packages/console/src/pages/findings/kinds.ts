import { t } from '@lingui/core/macro';
import type { Kind } from './search.ts';

export const KIND_WORDS: Record<Kind, string> = {
  leaver_with_access: t`Leaver with access`,
  held_sync: t`Held sync`,
  held_policy: t`Held policy`,
  people_change_held: t`Held change of people`,
  overdue_sync: t`Overdue sync`,
  task_without_fulfiller: t`Task without fulfiller`,
  orphaned_account: t`Orphaned account`,
  unowned_account: t`Account without owner`,
  unseen_access: t`Unseen access`,
  grant_of_another_person: t`Access of another person`,
  dormant_privileged: t`Dormant privileged account`,
  privileged_without_mfa: t`Privileged account without second factor`,
  group_without_owner: t`Group without owner`,
  last_member_left: t`Group with one member left`,
  returned_after_revocation: t`Removed access that is back`,
  lookalike_names: t`Look-alike username`,
  missing_access: t`Missing access`,
  own_afterwards: t`Own decision`,
  reviewer_cannot_sign_in: t`Reviewer who cannot sign in`,
};
