import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import type { AccountView } from './queries.ts';
import * as queries from './queries.ts';

export { foldAccountCounts } from './account-counts-queries.ts';
export type { AccountView } from './queries.ts';
export { ACCOUNT_SORTS } from './queries.ts';

/**
 * 404 for an account that is not in the organization, 403 for one of an app that the key may not touch (D7),
 * and for a member who asks for somebody else's (Roles).
 */
export async function accountOf(db: Db, principal: Principal, accountId: string): Promise<AccountView> {
  const account = isUuid(accountId) ? await queries.findAccount(db, principal.orgId, accountId) : undefined;
  if (account === undefined) throw notFound('Account');
  if (!mayTouchApp(principal, account.app_id))
    throw forbidden('This key may not touch the app of this account.');
  if (principal.role === 'member' && account.user !== principal.userId) throw notYours();
  return account;
}

/**
 * Contract 4.14. A listed key sees the accounts of its apps; asking for another app is 403 (D7). A member sees their
 * own (Roles).
 */
export async function listAccounts(
  db: Db,
  principal: Principal,
  { app, ...filter }: Omit<queries.AccountFilter, 'apps'> & { app: string | null },
  page: Page,
): Promise<Slice<AccountView>> {
  if (app !== null && !mayTouchApp(principal, app)) throw forbidden('This key may not touch this app.');
  const mine = principal.apps === 'all' ? null : [...principal.apps];
  const isMember = principal.role === 'member';
  if (isMember && filter.user !== null && filter.user.toLowerCase() !== principal.userId) throw notYours();
  const user = isMember ? principal.userId : filter.user;
  return queries.listAccounts(
    db,
    principal.orgId,
    { ...filter, user, apps: app === null ? mine : [app] },
    page,
  );
}

/** The account that a person has in an app now, for whoever may know it. */
export async function liveAccountOf(
  db: Db,
  orgId: string,
  appId: string,
  userId: string,
): Promise<AccountView | undefined> {
  const { results } = await queries.listAccounts(
    db,
    orgId,
    { apps: [appId], user: userId, status: null, email: null, linked: null, sort: '-created' },
    { limit: 50, offset: 0 },
  );
  return results.find(({ status }) => status !== 'INACTIVE');
}

const notYours = () => forbidden('A member sees their own accounts only.');
