import type { Query } from '../../api/client.ts';
import { choice, search, text, whole } from '../../kit/browser/address.ts';
import { valuesOf } from '../../kit/form/form-options.ts';

type Filters = Query<'/api/findings/'>;

export type Kind = NonNullable<Filters['kind']>;

export const KINDS = valuesOf<Kind>({
  leaver_with_access: true,
  held_sync: true,
  held_policy: true,
  people_change_held: true,
  overdue_sync: true,
  task_without_fulfiller: true,
  orphaned_account: true,
  unowned_account: true,
  unseen_access: true,
  grant_of_another_person: true,
  dormant_privileged: true,
  privileged_without_mfa: true,
  group_without_owner: true,
  last_member_left: true,
  returned_after_revocation: true,
  lookalike_names: true,
  missing_access: true,
  own_afterwards: true,
  reviewer_cannot_sign_in: true,
});
export const SEVERITIES = valuesOf<NonNullable<Filters['severity']>>({
  critical: true,
  high: true,
  medium: true,
  low: true,
});
export const STATUSES = valuesOf<NonNullable<Filters['status']>>({
  open: true,
  accepted: true,
  resolved: true,
});

export const findingsSearch = search({
  kind: choice(...KINDS),
  severity: choice(...SEVERITIES),
  status: choice(...STATUSES),
  assignee: text,
  app: text,
  subject: text,
  page: whole,
});
