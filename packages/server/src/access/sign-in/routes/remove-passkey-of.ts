import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import { Uuid } from '../../../platform/http/schemas.ts';
import type { Http } from '../../../platform/http/server.ts';
import { removePasskeyOf } from '../passkeys.ts';
import { administer, NoContent, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function removePasskeyOfRoute(http: Http, { db, onPerson }: SignInTools) {
  http.delete(
    '/api/users/:user_id/passkeys/:passkey_id/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "Remove a person's passkey",
        description: "Ends the person's sessions, since one of them may have been started with it.",
        params: Type.Object({ user_id: Uuid, passkey_id: Uuid }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { principal, params } = request;
      await removePasskeyOf(db, principal, causeOf(request), params.user_id, params.passkey_id);
      reply.code(204);
      return null;
    },
  );
}
