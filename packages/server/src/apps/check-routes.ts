import { Type } from 'typebox';
import { actorOf } from '../identity/cause.ts';
import { Nullable, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import { BridgeApp, withApp } from './bridge-routes.ts';
import { reportCheck } from './check.ts';

const Check = Type.Object({
  ok: Type.Boolean({ description: 'Whether the connector could sign in to the external system.' }),
  method: Type.Enum(['api', 'browser']),
  message: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

/** The connection check (D13). */
export function checkRoutes(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/:app_id/check/',
    {
      config: { access: { scope: 'bridge' } },
      onRequest: withApp(db),
      schema: {
        tags: ['Bridge: apps'],
        summary: 'Report a connection check',
        params: Type.Object({ app_id: Uuid }),
        body: Check,
        response: { 200: BridgeApp },
      },
    },
    async (request) =>
      reportCheck(db, request.principal, actorOf(request), request.bridgeApp.id, {
        ...request.body,
        message: request.body.message ?? null,
      }),
  );
}
