import { pastSearch } from '../../history/past.ts';
import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';
import { STATUSES } from '../accounts/search.ts';

export const appsSearch = search({ q: text, page: whole, new: choice('request') });

/** The wizard that adds an app, or connects the existing app `app`. `name` is the initial name of a new one. */
export const newAppSearch = search({
  type: text,
  name: text,
  app: text,
  step: choice('test', 'preview', 'schedule', 'done'),
});

const APP_TABS = [
  'overview',
  'accounts',
  'groups',
  'licenses',
  'syncs',
  'connection',
  'fulfillment',
  'settings',
] as const;
export type AppTab = (typeof APP_TABS)[number];

/**
 * On the Groups and Licenses tabs, `slug` is the resource type, `gone` shows deleted ones, `hidden` those with hidden members, and
 * `resource` leads to the page of one. On the Connection tab, `run` is the run of the connector that is shown.
 */
export const appSearch = search({
  ...pastSearch,
  tab: choice(...APP_TABS),
  q: text,
  status: choice(...STATUSES),
  slug: text,
  gone: flag,
  hidden: flag,
  risk: choice('low', 'medium', 'high'),
  resource: text,
  run: text,
  sort: choice('email', '-email'),
  page: whole,
});

/** The changes of a sync, of type `of`. `removals` is the page of those that it holds. */
export const syncSearch = search({
  q: text,
  of: choice('account', 'membership', 'resource'),
  page: whole,
  removals: whole,
});
