import { choice, flag, search, text, whole } from '../../parts/address.ts';

export const STATUSES = ['ACTIVE', 'INVITED', 'NEW', 'SUSPENDED', 'INACTIVE'] as const;

export const SORTS = ['created', '-created', 'email', '-email'] as const;

export const accountsSearch = search({
  q: text,
  app: text,
  status: choice(...STATUSES),
  linked: flag,
  sort: choice(...SORTS),
  page: whole,
});

/** Which dialog of an account is open. */
export const accountSearch = search({
  ask: choice('access', 'suspend', 'unsuspend', 'password', 'delete', 'link', 'unlink'),
});
