import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { invalid } from '../../platform/errors.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { accountOf } from '../accounts.ts';
import { linkByHand } from '../links.ts';
import { setOwner } from '../owners.ts';
import { requireAccount } from './require-account.ts';
import { AccountKind, AccountParams, ManagedAccount, managedAccount } from './schemas.ts';

export function linkAccountRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/accounts/:account_id/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      onRequest: requireAccount(db),
      schema: {
        tags: ['Accounts'],
        summary: 'Link account to a user, or set its owner',
        description:
          'Links the account to a user, or unlinks it with null. Sets what kind of account it is, and who answers for a service or shared account; repeating the current values confirms those that the app names. Syncs keep all of these as they are.',
        params: AccountParams,
        body: Type.Object({
          user: Type.Optional(Nullable(Uuid)),
          kind: Type.Optional(AccountKind),
          owner: Type.Optional(Nullable(Uuid)),
        }),
        response: { 200: ManagedAccount },
      },
    },
    async (request) => {
      const { principal, params } = request;
      const { user, ...ownership } = request.body;
      const id = params.account_id;
      if (user === undefined && ownership.kind === undefined && ownership.owner === undefined)
        throw invalid('Field required (user): Name user, kind or owner.');
      if (ownership.kind !== undefined || ownership.owner !== undefined)
        await setOwner(db, principal, id, ownership, causeOf(request));
      if (user !== undefined) await linkByHand(db, principal, id, user, causeOf(request));
      return managedAccount(await accountOf(db, principal, id));
    },
  );
}
