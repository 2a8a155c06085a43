import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppReference, appReference } from '../apps/reference.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import * as accounts from './accounts.ts';
import { linkByHand } from './links.ts';

const Entitlements = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      granted_at: Type.String({ format: 'date-time', description: 'Since when it is known to have it.' }),
    }),
  ),
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
  user: Nullable(Type.String({ format: 'uuid', description: 'The person whose account it is.' })),
  person: Nullable(
    Type.Object({
      external_uuid: Uuid,
      email: Type.String(),
      first_name: Type.String(),
      last_name: Type.String(),
    }),
  ),
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
  ...longPageQuery,
  app: Type.Optional(Uuid),
  email: Type.Optional(Type.String({ description: 'Part of the email, compared without case.' })),
  status: Type.Optional(Type.Enum(['ACTIVE', 'INACTIVE', 'INVITED', 'NEW', 'SUSPENDED'])),
  user: Type.Optional(Uuid),
  linked: Type.Optional(Type.Boolean({ description: "false: accounts that are nobody's." })),
  sort: Type.Optional(Type.Enum([...accounts.ACCOUNT_SORTS], { default: 'created' })),
});
const Params = Type.Object({ account_id: Uuid });

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
        response: { 200: longEnvelope(ManagedAccount) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const {
        app = null,
        status = null,
        email,
        user = null,
        linked = null,
        sort = 'created',
      } = request.query;
      const filter = { app, status, email: email || null, user, linked, sort };
      const slice = await accounts.listAccounts(db, request.principal, filter, page);
      return listReply(request, origin(request), page, {
        ...slice,
        results: slice.results.map(managedAccount),
      });
    },
  );

  http.get(
    '/api/accounts/:account_id/',
    {
      config,
      schema: {
        tags,
        summary: 'Get account',
        params: Params,
        response: { 200: ManagedAccount },
      },
    },
    async (request) =>
      managedAccount(await accounts.accountOf(db, request.principal, request.params.account_id)),
  );

  http.patch(
    '/api/accounts/:account_id/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      onRequest: async (request: FastifyRequest) => {
        const { account_id } = request.params as { account_id: string };
        await accounts.accountOf(db, request.principal, account_id);
      },
      schema: {
        tags,
        summary: 'Link account to a user, by hand',
        params: Params,
        body: Type.Object({ user: Nullable(Uuid) }),
        response: { 200: ManagedAccount },
      },
    },
    async (request) =>
      managedAccount(await linkByHand(db, request.principal, request.params.account_id, request.body.user)),
  );
}
