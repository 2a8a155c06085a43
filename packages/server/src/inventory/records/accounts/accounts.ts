import { appRefusals } from '#inventory/apps/sentences.ts';
import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, mayTouchApp } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordRefusals } from '../sentences.ts';
import type { AccountFilter } from './account-filters.ts';
import type { AccountSort, AccountView } from './account-view.ts';
import * as queries from './queries/accounts.ts';

/**
 * Returns an account. 404 for an unknown one; 403 for an app that the key may not access (D7), and for a member who
 * asks for another person's account.
 */
export async function accountOf(call: Call, accountId: string): Promise<AccountView> {
  const account = isUuid(accountId) ? await queries.findAccount(call, accountId) : undefined;
  if (account === undefined) throw notFound('Account');
  if (!mayTouchApp(call.principal, account.app_id)) throw recordRefusals.key_without_app_of_account();
  if (call.principal.role === 'member' && account.user !== call.principal.userId) throw notYours();
  return account;
}

/**
 * Lists accounts (protocol 4.14). A key that is limited to some apps sees the accounts of these; asking for another app
 * is 403 (D7). Members see their own accounts.
 */
export async function listAccounts(
  call: Call,
  { sort, ...filter }: AccountFilter & { sort: AccountSort },
  page: Page,
): Promise<Slice<AccountView>> {
  const { principal } = call;
  const { app, slug, resource } = filter;
  if ((slug === undefined) !== (resource === undefined)) throw recordRefusals.slug_without_resource();
  if (app !== undefined && !mayTouchApp(principal, app)) throw appRefusals.key_without_app();
  const allowed = principal.apps === 'all' ? null : [...principal.apps];
  const apps = app === undefined ? allowed : [app];
  if (principal.role !== 'member') return queries.listAccounts(call, { ...filter, apps, sort }, page);
  if (filter.user !== undefined && filter.user.toLowerCase() !== principal.userId) throw notYours();
  return queries.listAccounts(call, { ...filter, user: principal.userId, apps, sort }, page);
}

/** Returns the account that a person has in an app, unless it is INACTIVE. The caller checks who may see it. */
export async function liveAccountOf(
  db: OrgDb,
  appId: string,
  userId: string,
): Promise<AccountView | undefined> {
  const { results } = await queries.listAccounts(
    db,
    { apps: [appId], user: userId, sort: '-created' },
    { limit: 50, offset: 0 },
  );
  return results.find(({ status }) => status !== 'INACTIVE');
}

/** Returns a person's accounts that are not INACTIVE, newest first, of the newest `most`. The caller checks who may see them. */
export async function liveAccountsOf(db: OrgDb, userId: string, most = 200): Promise<AccountView[]> {
  const { results } = await queries.listAccounts(
    db,
    { apps: null, user: userId, sort: '-created' },
    { limit: most, offset: 0 },
  );
  return results.filter(({ status }) => status !== 'INACTIVE');
}

const notYours = () => recordRefusals.own_accounts_only();
