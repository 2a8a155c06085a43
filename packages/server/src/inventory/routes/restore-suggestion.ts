import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { changeSuggestion } from '../suggestions.ts';
import { requireAccount } from './require-account.ts';
import { AccountParams } from './schemas.ts';

export function restoreSuggestionRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/accounts/:account_id/restore-suggestion/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      onRequest: requireAccount(db),
      schema: {
        tags: ['Accounts'],
        summary: 'Undo the dismissal of a suggested user',
        description:
          'The user is suggested for the account again if the two still match. Restoring a user who was not dismissed changes nothing.',
        params: AccountParams,
        body: Type.Object({ user: Uuid }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request;
      await changeSuggestion(db, principal, params.account_id, body.user, 'restored', causeOf(request));
      return reply.code(204).send(null);
    },
  );
}
