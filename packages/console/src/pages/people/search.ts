import type { Query } from '../../api/client.ts';
import { pastSearch } from '../../history/past.ts';
import { RANGES } from '../../history/timeline-ranges.ts';
import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';
import { valuesOf } from '../../kit/form/form-options.ts';

type Filters = Query<'/api/users/'>;

export const STATUSES = valuesOf<NonNullable<Filters['status']>>({ active: true, deactivated: true });
export const ROLES = valuesOf<NonNullable<Filters['role']>>({
  owner: true,
  admin: true,
  auditor: true,
  member: true,
});
export const IDENTITY_TYPES = valuesOf<NonNullable<Filters['identity_type']>>({
  human: true,
  service_account: true,
});

const SOURCES = valuesOf<NonNullable<Filters['source']>>({ scim: true, gatehouse: true });

export const SORTS = valuesOf<NonNullable<Filters['sort']>>({
  created: true,
  '-created': true,
  email: true,
  '-email': true,
});

/** The tabs in addition to all people. */
export const PEOPLE_TABS = ['duplicates', 'unlinked', 'leavers', 'insights'] as const;

/** `into` and `from` are the people of the dialog `ask`. */
export const peopleSearch = search({
  q: text,
  status: choice(...STATUSES),
  role: choice(...ROLES),
  identity_type: choice(...IDENTITY_TYPES),
  manager: text,
  source: choice(...SOURCES),
  sort: choice(...SORTS),
  page: whole,
  new: choice('person'),
  tab: choice(...PEOPLE_TABS),
  app: text,
  /** Whether the Duplicates tab shows dismissed pairs. */
  dismissed: flag,
  /** The month of the Insights tab, as 2026-11. */
  month: text,
  ask: choice('merge'),
  into: text,
  from: text,
});

const PERSON_TABS = [
  'access',
  'graph',
  'timeline',
  'requests',
  'tasks',
  'changes',
  'history',
  'done',
] as const;
export type PersonTab = (typeof PERSON_TABS)[number];

/** `ask` is the open dialog of a person. The Timeline tab keeps `range` and `table`. */
export const personSearch = search({
  ...pastSearch,
  range: choice(...RANGES),
  table: flag,
  tab: choice(...PERSON_TABS),
  /** The Access tab lists access by its reason, or accounts. */
  by: choice('account'),
  page: whole,
  ask: choice(
    'edit',
    'link',
    'sign-out',
    'release',
    'second-factor',
    'offboard',
    'deactivate',
    'reactivate',
    'delete',
    'merge',
  ),
});

export const groupsSearch = search({ q: text, page: whole });

export const groupSearch = search({ page: whole });
