import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { ACCOUNT_SORTS, listAccounts } from '../accounts.ts';
import { AccountStatus, ManagedAccount, managedAccount } from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  app: Type.Optional(Uuid),
  email: Type.Optional(Type.String({ description: 'Part of the email, compared without case.' })),
  search: Type.Optional(
    Type.String({
      description: 'Part of the email, the username or the display name, compared without case.',
    }),
  ),
  status: Type.Optional(AccountStatus),
  user: Type.Optional(Uuid),
  linked: Type.Optional(
    Type.Boolean({ description: 'true: accounts that belong to a person. false: orphaned accounts.' }),
  ),
  sort: Type.Optional(Type.Enum([...ACCOUNT_SORTS], { default: 'created' })),
});

/** Protocol 4.14. */
export function listAccountsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/accounts/',
    {
      config: { access: { scope: 'read', apps: 'listed' } },
      schema: {
        tags: ['Accounts'],
        summary: 'List accounts',
        querystring: Filters,
        response: { 200: longEnvelope(ManagedAccount) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { app = null, status = null, user = null, linked = null, sort = 'created' } = request.query;
      const { email, search } = request.query;
      const filter = { app, status, email: email || null, search: search || null, user, linked, sort };
      const { results, ...counts } = await listAccounts(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { ...counts, results: results.map(managedAccount) });
    },
  );
}
