import type { Http, RouteTools } from '../../platform/http/server.ts';
import { accountOf } from '../accounts.ts';
import { AccountParams, ManagedAccount, managedAccount } from './schemas.ts';

export function getAccountRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/accounts/:account_id/',
    {
      config: { access: { scope: 'read', apps: 'listed' } },
      schema: {
        tags: ['Accounts'],
        summary: 'Get account',
        params: AccountParams,
        response: { 200: ManagedAccount },
      },
    },
    async ({ principal, params }) => managedAccount(await accountOf(db, principal, params.account_id)),
  );
}
