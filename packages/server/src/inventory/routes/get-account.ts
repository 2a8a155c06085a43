import { Type } from 'typebox';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { accountOf } from '../accounts.ts';
import { accountAsOf } from '../as-of.ts';
import { momentOf } from '../history/moment.ts';
import { asOfEnvelope, asOfQuery, asOfReply } from './as-of-schemas.ts';
import { AccountParams, ManagedAccount, managedAccount } from './schemas.ts';

export function getAccountRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/accounts/:account_id/',
    {
      config: { access: { scope: 'read', apps: 'listed' } },
      schema: {
        tags: ['Accounts'],
        summary: 'Get account',
        description: 'With `as_of`, the account as it was at that time. 404 if it did not exist then.',
        params: AccountParams,
        querystring: Type.Object(asOfQuery),
        response: { 200: Type.Object({ ...ManagedAccount.properties, ...asOfEnvelope }) },
      },
    },
    async ({ principal, params, query }) => {
      const moment = await momentOf(db, query);
      if (moment === null) return managedAccount(await accountOf(db, principal, params.account_id));
      const { account, coverage } = await accountAsOf(db, principal, params.account_id, moment);
      return { ...managedAccount(account), ...asOfReply(moment, coverage) };
    },
  );
}
