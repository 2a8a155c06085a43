import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { endSessionsOf } from '../sessions.ts';
import { administer, NoContent, PersonParams, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function endSessionsOfRoute(http: Http, { db, onPerson }: SignInTools) {
  http.post(
    '/api/users/:user_id/sign-out/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "End all of a person's sessions",
        params: PersonParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await endSessionsOf(db, request.principal, causeOf(request), request.params.user_id);
      reply.code(204);
      return null;
    },
  );
}
