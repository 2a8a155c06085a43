import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { existingKey, transferKey } from '../keys.ts';
import { ApiKey, tags, transferKeys } from './schemas.ts';

export function transferApiKeyRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/api-keys/:key_id/transfer/',
    {
      config: { access: transferKeys },
      // Before the body is validated, so that 404 comes before 400 (D6).
      onRequest: async ({ principal, params }: FastifyRequest) => {
        await existingKey(db, principal.orgId, (params as { key_id: string }).key_id);
      },
      schema: {
        tags,
        summary: 'Transfer API key to another person',
        description:
          'The key acts for that person from now on, and stops working when they are deactivated. Requires a signed-in person; only an owner can transfer a key from or to an owner.',
        params: Type.Object({ key_id: Uuid }),
        body: Type.Object({ user: Uuid }),
        response: { 200: ApiKey },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      return transferKey(db, principal, causeOf(request), params.key_id, body.user.toLowerCase());
    },
  );
}
