import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import { Uuid } from '../../../platform/http/schemas.ts';
import type { Http } from '../../../platform/http/server.ts';
import { removePasskey } from '../passkeys.ts';
import { NoContent, own, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function removePasskeyRoute(http: Http, { db }: SignInTools) {
  http.delete(
    '/auth/passkeys/:passkey_id/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Remove one of your passkeys',
        description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
        params: Type.Object({ passkey_id: Uuid }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      await removePasskey(db, request.principal, causeOf(request), request.params.passkey_id);
      reply.code(204);
      return null;
    },
  );
}
