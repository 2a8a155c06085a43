import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import { Uuid } from '../../../platform/http/schemas.ts';
import type { Http } from '../../../platform/http/server.ts';
import { endSession } from '../sessions.ts';
import { NoContent, own, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function endSessionRoute(http: Http, { db }: SignInTools) {
  http.delete(
    '/auth/sessions/:session_id/',
    {
      config: own,
      schema: {
        tags,
        summary: 'End one of your sessions',
        params: Type.Object({ session_id: Uuid }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      await endSession(db, request.principal, causeOf(request), request.params.session_id);
      reply.code(204);
      return null;
    },
  );
}
