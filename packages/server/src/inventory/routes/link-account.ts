import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { accountOf } from '../accounts.ts';
import { linkByHand } from '../links.ts';
import { AccountParams, ManagedAccount, managedAccount } from './schemas.ts';

export function linkAccountRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/accounts/:account_id/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      onRequest: async (request: FastifyRequest) => {
        const { account_id } = request.params as { account_id: string };
        await accountOf(db, request.principal, account_id);
      },
      schema: {
        tags: ['Accounts'],
        summary: 'Link account to a user',
        description: 'Links the account to a user, or unlinks it with null. Syncs keep this link as it is.',
        params: AccountParams,
        body: Type.Object({ user: Nullable(Uuid) }),
        response: { 200: ManagedAccount },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      return managedAccount(await linkByHand(db, principal, params.account_id, body.user, causeOf(request)));
    },
  );
}
