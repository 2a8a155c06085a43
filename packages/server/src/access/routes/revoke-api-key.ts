import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { revokeKey } from '../keys.ts';
import { manageKeys, tags } from './schemas.ts';

export function revokeApiKeyRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/api-keys/:key_id/',
    {
      config: { access: manageKeys },
      schema: {
        tags,
        summary: 'Revoke API key',
        params: Type.Object({ key_id: Uuid }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await revokeKey(db, request.principal, causeOf(request), request.params.key_id);
      reply.code(204);
      return null;
    },
  );
}
