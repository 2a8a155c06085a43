import { mayTouchApp, type Principal } from '../access/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import type { AccountStatus, AccountView } from './queries.ts';
import * as queries from './queries.ts';

export type { AccountStatus, AccountView } from './queries.ts';
export { foldAccountCounts } from './queries.ts';

/** 404 for an account that is not in the organization, 403 for one of an app that the key may not touch (D7). */
export async function accountOf(db: Db, principal: Principal, accountId: string): Promise<AccountView> {
  const account = await queries.findAccount(db, principal.orgId, accountId);
  if (account === undefined) throw notFound('Account');
  if (!mayTouchApp(principal, account.app_id))
    throw forbidden('This key may not touch the app of this account.');
  return account;
}

/** Contract 4.14. A listed key sees the accounts of its apps; asking for another app is 403 (D7). */
export async function listAccounts(
  db: Db,
  principal: Principal,
  { app, status, email }: { app: string | null; status: AccountStatus | null; email: string | null },
  page: Page,
): Promise<Slice<AccountView>> {
  if (app !== null && !mayTouchApp(principal, app)) throw forbidden('This key may not touch this app.');
  const mine = principal.apps === 'all' ? null : [...principal.apps];
  return queries.listAccounts(
    db,
    principal.orgId,
    { apps: app === null ? mine : [app], status, email },
    page,
  );
}
