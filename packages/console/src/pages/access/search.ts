import type { Query } from '../../api/client.ts';
import { pastSearch } from '../../history/past.ts';
import { RANGES } from '../../history/timeline-ranges.ts';
import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';
import { valuesOf } from '../../kit/form/form-options.ts';

type Filters = Query<'/api/resources/'>;

export const SORTS = valuesOf<NonNullable<Filters['sort']>>({
  name: true,
  '-name': true,
  app: true,
  '-app': true,
  risk: true,
  '-risk': true,
  members: true,
  '-members': true,
  reviewed: true,
  '-reviewed': true,
});

/** With `app`, `slug` and `id`, one group or license is named, and the page leads to its own. */
export const accessSearch = search({
  ...pastSearch,
  q: text,
  app: text,
  slug: text,
  id: text,
  type: choice('group', 'license'),
  risk: choice('low', 'medium', 'high'),
  owner: text,
  without_owner: flag,
  of_leavers: flag,
  not_used_for_days: whole,
  not_reviewed_for_days: whole,
  requestable: flag,
  hidden: flag,
  sort: choice(...SORTS),
  page: whole,
});

/** The filters are those of the accounts. The timeline keeps `range` and `table`. */
export const entitlementSearch = search({
  ...pastSearch,
  tab: choice('timeline'),
  of_leavers: flag,
  not_used_for_days: whole,
  range: choice(...RANGES),
  table: flag,
  page: whole,
});
