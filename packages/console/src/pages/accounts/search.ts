import type { Query } from '../../api/client.ts';
import { choice, flag, search, text, whole } from '../../parts/address.ts';
import { valuesOf } from '../../parts/form-options.ts';

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
});

export const accountsSearch = search({
  q: text,
  app: text,
  status: choice(...STATUSES),
  linked: flag,
  sort: choice(...SORTS),
  page: whole,
});

/** `ask` is the open dialog of an account. */
export const accountSearch = search({
  ask: choice('access', 'suspend', 'unsuspend', 'password', 'delete', 'link', 'unlink'),
});
