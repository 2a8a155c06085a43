import { Type } from 'typebox';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { requestConnection } from '../connection-requests.ts';
import { callerOf } from './caller.ts';
import { ConnectionRequest, tags } from './schemas.ts';

const NewConnectionRequest = Type.Object({
  app_name: Type.String({ minLength: 1, maxLength: 255 }),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

/** Requests that an application be connected. */
export function requestConnectionRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/connection-requests/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'member'] } },
      schema: {
        tags,
        summary: 'Request the connection of an application',
        body: NewConnectionRequest,
        response: { 201: ConnectionRequest },
      },
    },
    async (request, reply) => {
      const { app_name, reason } = request.body;
      reply.code(201);
      return requestConnection(db, callerOf(request), { app_name, reason: reason ?? '' });
    },
  );
}
