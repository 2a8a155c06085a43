import { Type } from 'typebox';
import { operations } from '#kit/http.ts';
import { Component, Nullable } from '#kit/schemas.ts';
import { listConnectionRequests, requestConnection } from '../connection-requests.ts';
import { ConnectionRequest, tag } from './schemas.ts';

const NewConnectionRequest = Component('NewConnectionRequest', {
  app_name: Type.String({ minLength: 1, maxLength: 255 }),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

/** Requests to connect an application (protocol 11). */
const requests = operations({
  path: '/api/connection-requests/',
  tag,
  reading: { access: { scope: 'govern' } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin', 'member'] } },
  reply: ConnectionRequest,
});

export const connectionRequestRoutes = [
  requests.list('', 'List connection requests', { item: ConnectionRequest }, ({ call }, page) =>
    listConnectionRequests(call, page),
  ),
  requests.post(
    '',
    'Request the connection of an application',
    { body: NewConnectionRequest, status: 201 },
    ({ call, body: { app_name, reason } }) => requestConnection(call, { app_name, reason: reason ?? '' }),
  ),
];
