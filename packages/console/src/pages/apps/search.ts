import { choice, flag, search, text, whole } from '../../parts/address.ts';

export const appsSearch = search({ q: text, page: whole, new: choice('app', 'request'), name: text });

const APP_TABS = ['overview', 'accounts', 'groups', 'licenses', 'syncs', 'settings'] as const;
export type AppTab = (typeof APP_TABS)[number];

export const ACCOUNT_STATUSES = ['ACTIVE', 'INVITED', 'NEW', 'SUSPENDED', 'INACTIVE'] as const;

/** `slug`, `gone` and `resource` are of the tabs groups and licenses: type, whether those gone are shown, whose members. */
export const appSearch = search({
  tab: choice(...APP_TABS),
  q: text,
  status: choice(...ACCOUNT_STATUSES),
  slug: text,
  gone: flag,
  resource: text,
  sort: choice('email', '-email'),
  page: whole,
});
