import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { linkAll } from '../suggestions.ts';

const Link = { account: Uuid, user: Uuid };

export function linkAccountsRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/accounts/link/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      schema: {
        tags: ['Accounts'],
        summary: 'Link many accounts to users',
        description:
          'Links unlinked accounts one by one. An account that cannot be linked is reported and does not affect the others.',
        body: Type.Object({ links: Type.Array(Type.Object(Link), { minItems: 1, maxItems: 500 }) }),
        response: {
          200: Type.Object({
            linked: Type.Integer({ minimum: 0 }),
            results: Type.Array(
              Type.Object({
                ...Link,
                linked: Type.Boolean(),
                detail: Nullable(Type.String({ description: 'Why the account was not linked.' })),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const results = await linkAll(db, request.principal, request.body.links, causeOf(request));
      return { linked: results.filter(({ linked }) => linked).length, results };
    },
  );
}
