import { choice, search, text, whole } from '../../parts/address.ts';

export const appsSearch = search({ q: text, page: whole, new: choice('app', 'request') });

export const APP_TABS = ['overview', 'accounts', 'groups', 'licenses', 'syncs', 'settings'] as const;

export const appSearch = search({
  tab: choice(...APP_TABS),
  q: text,
  status: choice('ACTIVE', 'INVITED', 'NEW', 'SUSPENDED', 'INACTIVE'),
  resource: text,
  page: whole,
});
