import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { removeSecondFactorOf } from '../second-factor.ts';
import { endSessionsOf } from '../sessions.ts';
import { administer, NoContent, oversee, PersonParams, tags } from './schemas.ts';
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
      await removeSecondFactorOf(callOf(db, request), request.params.user_id);
      reply.code(204);
      return null;
    },
  );
}

export function endSessionsOfRoute(http: Http, { db, onPerson }: SignInTools) {
  http.post(
    '/api/users/:user_id/sign-out/',
    {
      config: oversee,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "End all of a person's sessions",
        params: PersonParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await endSessionsOf(callOf(db, request), request.params.user_id);
      reply.code(204);
      return null;
    },
  );
}
