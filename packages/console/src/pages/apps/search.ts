import { choice, flag, search, text, whole } from '../../parts/address.ts';
import { pastSearch } from '../../parts/past.ts';
import { STATUSES } from '../accounts/search.ts';

export const appsSearch = search({ q: text, page: whole, new: choice('app', 'request'), name: text });

const APP_TABS = ['overview', 'accounts', 'groups', 'licenses', 'syncs', 'fulfilment', 'settings'] as const;
export type AppTab = (typeof APP_TABS)[number];

/**
 * On the Groups and Licenses tabs, `slug` is the resource type, `gone` shows deleted ones, and `resource` is the group or
 * license whose members are listed. On the Syncs tab, `sync` is the session whose changes of type `of` are listed.
 */
export const appSearch = search({
  ...pastSearch,
  tab: choice(...APP_TABS),
  q: text,
  status: choice(...STATUSES),
  slug: text,
  gone: flag,
  risk: choice('low', 'medium', 'high'),
  resource: text,
  sync: text,
  of: choice('account', 'membership', 'resource'),
  sort: choice('email', '-email'),
  page: whole,
});
