import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { removeSecondFactorOf } from '../second-factor.ts';
import { administer, NoContent, PersonParams, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function removeSecondFactorOfRoute(http: Http, { db, onPerson }: SignInTools) {
  http.delete(
    '/api/users/:user_id/second-factor/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "Remove a person's second factor and passkeys",
        description:
          'For a person who has lost them. Ends their sessions. They sign in with their password alone until they set up a new factor.',
        params: PersonParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await removeSecondFactorOf(db, request.principal, causeOf(request), request.params.user_id);
      reply.code(204);
      return null;
    },
  );
}
