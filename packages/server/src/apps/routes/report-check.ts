import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { reportCheck } from '../check.ts';
import { withApp } from '../with-app.ts';
import { AppParams, BridgeApp, bridge, bridgeTags } from './schemas.ts';

const Check = Type.Object({
  ok: Type.Boolean({ description: 'Whether the connector could sign in to the external system.' }),
  method: Type.Enum(['api', 'browser']),
  message: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

/** Records the result of a connection check (D13). */
export function reportCheckRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/:app_id/check/',
    {
      config: bridge,
      onRequest: withApp(db),
      schema: {
        tags: bridgeTags,
        summary: 'Report a connection check',
        params: AppParams,
        body: Check,
        response: { 200: BridgeApp },
      },
    },
    async (request) => {
      const { principal, bridgeApp, body } = request;
      const check = { ...body, message: body.message ?? null };
      return reportCheck(db, principal.orgId, bridgeApp.id, causeOf(request), check);
    },
  );
}
