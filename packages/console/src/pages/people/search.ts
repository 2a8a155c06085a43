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

const PERSON_TABS = ['access', 'timeline', 'activity', 'work'] as const;
export type PersonTab = (typeof PERSON_TABS)[number];
export const ACTIVITIES = valuesOf<NonNullable<Query<'/api/users/{user_id}/activity/'>['kind']>>({
  access: true,
  decisions: true,
  profile: true,
  sign_in: true,
});

/** Tabs of earlier addresses, and where they are now. */
export const FORMER_TABS = {
  graph: { tab: undefined, by: 'graph' },
  requests: { tab: 'work' },
  tasks: { tab: 'work' },
  changes: { tab: 'activity', kind: 'profile' },
  history: { tab: 'activity' },
  done: { tab: 'activity' },
} as const;
export const FORMER_NAMES = Object.keys(FORMER_TABS) as (keyof typeof FORMER_TABS)[];

/** `ask` is the open dialog of a person. The Timeline tab keeps `range` and `table`. */
export const personSearch = search({
  ...pastSearch,
  range: choice(...RANGES),
  table: flag,
  tab: choice(...PERSON_TABS, ...FORMER_NAMES),
  /** The Access tab lists access by its reason, or accounts, or draws a graph. */
  by: choice('account', 'graph'),
  /** The kind of activity. */
  kind: choice(...ACTIVITIES),
  /** The page of the tasks. */
  tasks: whole,
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
