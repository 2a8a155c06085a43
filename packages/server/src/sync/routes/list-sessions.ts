import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listSessions } from '../view.ts';
import { onApp } from './on-session.ts';
import { AppParams, adminTags, SessionView } from './schemas.ts';

export function listSessionsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/syncs/',
    {
      config: {
        access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
        reads: 'replica',
      },
      onRequest: onApp(db),
      schema: {
        tags: adminTags,
        summary: 'List sync sessions, newest first',
        params: AppParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(SessionView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const sessions = await listSessions(db, request.principal.orgId, request.bridgeApp.id, page);
      return listReply(request, origin(request), page, sessions);
    },
  );
}
