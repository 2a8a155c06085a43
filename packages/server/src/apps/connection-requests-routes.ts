import { Type } from 'typebox';
import { actorOf } from '../identity/cause.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import { listConnectionRequests, requestConnection } from './connection-requests.ts';

const ConnectionRequest = Type.Object({
  external_uuid: Uuid,
  app_name: Type.String(),
  reason: Type.String(),
  requester: Nullable(Type.Object({ external_uuid: Uuid, email: Type.String() })),
  created_at: Timestamp,
});

const NewConnectionRequest = Type.Object({
  app_name: Type.String({ minLength: 1, maxLength: 255 }),
  reason: Type.Optional(Type.String({ maxLength: 2000 })),
});

const config = { access: { scope: 'govern' } } as const;
const tags = ['Apps'];

/** Applications that people ask to have connected (governance.md "Apps as administrators see them"). */
export function connectionRequestRoutes(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/connection-requests/',
    {
      config,
      schema: {
        tags,
        summary: 'List connection requests',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ConnectionRequest) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listConnectionRequests(db, request.principal, page);
      return listReply(request, origin(request), page, slice);
    },
  );

  http.post(
    '/api/connection-requests/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'member'] } },
      schema: {
        tags,
        summary: 'Ask for an application to be connected',
        body: NewConnectionRequest,
        response: { 201: ConnectionRequest },
      },
    },
    async (request, reply) => {
      const { app_name, reason = '' } = request.body;
      const caller = { principal: request.principal, actor: actorOf(request) };
      reply.code(201);
      return requestConnection(db, caller, { app_name, reason });
    },
  );
}
