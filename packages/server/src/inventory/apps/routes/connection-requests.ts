import { Type } from 'typebox';
import { list, route } from '#kit/http.ts';
import { Component, Nullable } from '#kit/schemas.ts';
import { listConnectionRequests, requestConnection } from '../connection-requests.ts';
import { ConnectionRequest, tag } from './schemas.ts';

const path = '/api/connection-requests/';

const NewConnectionRequest = Component('NewConnectionRequest', {
  app_name: Type.String({ minLength: 1, maxLength: 255 }),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

/** Requests to connect an application (protocol 11). */
export const connectionRequestRoutes = [
  list(
    path,
    {
      tag,
      config: { access: { scope: 'govern' } },
      summary: 'List connection requests',
      item: ConnectionRequest,
    },
    ({ call }, page) => listConnectionRequests(call, page),
  ),
  route(
    'POST',
    path,
    {
      tag,
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'member'] } },
      summary: 'Request the connection of an application',
      body: NewConnectionRequest,
      reply: ConnectionRequest,
      status: 201,
    },
    ({ call, body: { app_name, reason } }) => requestConnection(call, { app_name, reason: reason ?? '' }),
  ),
];
