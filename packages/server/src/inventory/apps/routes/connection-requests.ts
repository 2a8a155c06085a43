import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Nullable } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { listConnectionRequests, requestConnection } from '../connection-requests.ts';
import { ConnectionRequest, tags } from './schemas.ts';

/** Lists connection requests. Members see only their own. */
export function listConnectionRequestsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/connection-requests/',
    {
      config: { access: { scope: 'govern' } },
      schema: {
        tags,
        summary: 'List connection requests',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ConnectionRequest) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listConnectionRequests(callOf(db, request), page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

const NewConnectionRequest = Component('NewConnectionRequest', {
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
      return requestConnection(callOf(db, request), { app_name, reason: reason ?? '' });
    },
  );
}
