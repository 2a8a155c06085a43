import type { Query } from '../../api/client.ts';
import { pastSearch } from '../../history/past.ts';
import { RANGES } from '../../history/timeline-ranges.ts';
import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';
import { valuesOf } from '../../kit/form/form-options.ts';

type Filters = Query<'/api/accounts/'>;

export const STATUSES = valuesOf<NonNullable<Filters['status']>>({
  ACTIVE: true,
  INVITED: true,
  NEW: true,
  SUSPENDED: true,
  INACTIVE: true,
});

export const SORTS = valuesOf<NonNullable<Filters['sort']>>({
  created: true,
  '-created': true,
  email: true,
  '-email': true,
  last_sign_in: true,
  '-last_sign_in': true,
});

export const accountsSearch = search({
  ...pastSearch,
  q: text,
  app: text,
  status: choice(...STATUSES),
  linked: flag,
  orphaned: flag,
  kind: choice('service', 'shared'),
  owner: text,
  without_owner: flag,
  of_leavers: flag,
  correlation: choice('ambiguous'),
  user: text,
  not_used_for_days: whole,
  never_used: flag,
  mfa: choice('true', 'false', 'unknown'),
  sort: choice(...SORTS),
  page: whole,
});

/** `ask` is the open dialog of an account. Its timeline keeps `range` and `table`. */
export const accountSearch = search({
  ...pastSearch,
  range: choice(...RANGES),
  table: flag,
  ask: choice('access', 'suspend', 'unsuspend', 'password', 'delete', 'link', 'owner'),
});
