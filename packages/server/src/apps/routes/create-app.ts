import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { createApp } from '../apps.ts';
import { BridgeApp, bridge, bridgeTags } from './schemas.ts';

const NewApp = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  clone_from: Type.Optional(Nullable(Uuid)),
});

/** Creates an app (protocol 4.1, D12). */
export function createAppRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/',
    {
      config: bridge,
      schema: { tags: bridgeTags, summary: 'Create app', body: NewApp, response: { 201: BridgeApp } },
    },
    async (request, reply) => {
      const { name, clone_from: cloneFrom = null } = request.body;
      reply.code(201);
      return createApp(db, request.principal, causeOf(request), { name, cloneFrom });
    },
  );
}
