import { Type } from 'typebox';
import { actorOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { abandonSession } from '../abandon.ts';
import type { SessionTools } from '../session.ts';
import { onSession } from './on-session.ts';
import { bridge, bridgeTags, SessionParams } from './schemas.ts';

export function abandonSessionRoute(http: Http, tools: SessionTools) {
  http.post(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/abandon/',
    {
      config: bridge,
      onRequest: onSession(tools.db),
      schema: {
        tags: bridgeTags,
        summary: 'Abandon sync',
        params: SessionParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, bridgeApp, params } = request;
      await abandonSession(tools, principal.orgId, bridgeApp, params.sync_id, actorOf(request));
      reply.code(204);
      return null;
    },
  );
}
