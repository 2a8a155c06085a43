import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { startSession } from '../start.ts';
import { onApp } from './on-session.ts';
import { AppParams, bridge, bridgeTags } from './schemas.ts';

export function startSessionRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/:app_id/sync/',
    {
      config: bridge,
      onRequest: onApp(db),
      schema: {
        tags: bridgeTags,
        summary: 'Start sync session',
        params: AppParams,
        response: { 201: Type.Object({ sync_id: Uuid }) },
      },
    },
    async (request, reply) => {
      const { orgId } = request.principal;
      const sync_id = await startSession(db, orgId, request.bridgeApp, causeOf(request));
      reply.code(201);
      return { sync_id };
    },
  );
}
