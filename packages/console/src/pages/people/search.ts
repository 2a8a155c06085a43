import { choice, search, text, whole } from '../../parts/address.ts';

export const STATUSES = ['active', 'deactivated'] as const;
export const ROLES = ['owner', 'admin', 'auditor', 'member'] as const;
export const IDENTITY_TYPES = ['human', 'service_account'] as const;

export const SORTS = ['created', '-created', 'email', '-email'] as const;

export const peopleSearch = search({
  q: text,
  status: choice(...STATUSES),
  role: choice(...ROLES),
  identity_type: choice(...IDENTITY_TYPES),
  manager: text,
  sort: choice(...SORTS),
  page: whole,
  new: choice('person', 'import'),
});

export const PERSON_TABS = ['access', 'requests', 'tasks', 'history', 'done'] as const;
export type PersonTab = (typeof PERSON_TABS)[number];

export const personSearch = search({
  tab: choice(...PERSON_TABS),
  page: whole,
  ask: choice('edit', 'link', 'sign-out', 'second-factor', 'deactivate', 'reactivate', 'delete'),
});
