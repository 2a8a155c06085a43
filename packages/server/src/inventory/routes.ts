import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import * as accounts from './accounts.ts';

/** Contract 2.8. */
export const AppReference = Type.Object({
  external_uuid: Uuid,
  name: Type.String(),
  connection: Type.Object({
    external_uuid: Uuid,
    display_name: Type.String(),
    unique_identifier: Type.String(),
  }),
});

export const appReference = (id: string, name: string) => ({
  external_uuid: id,
  name,
  connection: { external_uuid: id, display_name: name, unique_identifier: `bridge:${id}` },
});

const Entitlements = Type.Record(
  Type.String(),
  Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  {
    description: 'By resource type slug.',
  },
);

/** Contract 2.9; what stands behind app is ours. */
const ManagedAccount = Type.Object({
  external_uuid: Uuid,
  email: Type.String(),
  status: Type.String({ description: 'NEW, INVITED, ACTIVE, SUSPENDED or INACTIVE.' }),
  app: AppReference,
  external_id: Nullable(Type.String({ description: "The external system's own id, once it is known." })),
  username: Type.String(),
  display_name: Type.String(),
  memberships: Entitlements,
  assignments: Entitlements,
  last_seen_at: Nullable(Timestamp),
});

const managedAccount = (account: accounts.AccountView) => ({
  ...account,
  external_uuid: account.id,
  app: appReference(account.app_id, account.app_name),
});

const Filters = Type.Object({
  ...pageQuery,
  app: Type.Optional(Uuid),
  email: Type.Optional(Type.String({ description: 'Part of the email, compared without case.' })),
  status: Type.Optional(Type.Enum(['ACTIVE', 'INACTIVE', 'INVITED', 'NEW', 'SUSPENDED'])),
});

const config = { access: { scope: 'read' } } as const;
const tags = ['Accounts'];

/** Contract 4.14 and, beside it, one account. */
export function accountRoutes(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/accounts/',
    {
      config,
      schema: {
        tags,
        summary: 'List accounts',
        querystring: Filters,
        response: { 200: envelope(ManagedAccount) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { app = null, status = null, email = '' } = request.query;
      const filter = { app, status, email: email === '' ? null : email };
      const { count, results } = await accounts.listAccounts(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { count, results: results.map(managedAccount) });
    },
  );

  http.get(
    '/api/accounts/:account_id/',
    {
      config,
      schema: {
        tags,
        summary: 'Get account',
        params: Type.Object({ account_id: Uuid }),
        response: { 200: ManagedAccount },
      },
    },
    async (request) =>
      managedAccount(await accounts.accountOf(db, request.principal, request.params.account_id)),
  );
}
