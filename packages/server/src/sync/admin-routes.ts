import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withApp } from '../apps/with-app.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { listSessions } from './queries.ts';
import { approveRemoval, rejectRemoval } from './removal.ts';
import { SessionView } from './routes.ts';
import { sessionOf, sessionView } from './session.ts';

const AppParams = Type.Object({ app_id: Uuid });
const SessionParams = Type.Object({ app_id: Uuid, sync_id: Uuid });
const scope = 'govern';
const decide = { access: { scope, roles: ['owner', 'admin'] } } as const;
const tags = ['Apps'];

/** Sync sessions as administrators see them, and what they decide about held removals (governance.md, D24a). */
export function adminSyncRoutes(http: Http, { db, origin, jobs }: RouteTools & { jobs: Jobs }) {
  const onApp = withApp(db);
  const onSession = [
    onApp,
    async (request: FastifyRequest) => {
      const { sync_id } = request.params as { sync_id: string };
      await sessionOf(db, request.principal.orgId, request.bridgeApp.id, sync_id);
    },
  ];
  const view = async ({ principal, bridgeApp }: FastifyRequest, syncId: string) =>
    sessionView(db, principal.orgId, await sessionOf(db, principal.orgId, bridgeApp.id, syncId));

  http.get(
    '/api/apps/:app_id/syncs/',
    {
      config: { access: { scope, roles: ['owner', 'admin', 'auditor'] } },
      onRequest: onApp,
      schema: {
        tags,
        summary: 'List sync sessions, newest first',
        params: AppParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(SessionView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { orgId } = request.principal;
      const { count, results } = await listSessions(db, orgId, request.bridgeApp.id, page);
      const views = await Promise.all(results.map((session) => sessionView(db, orgId, session)));
      return listReply(request, origin(request), page, { count, results: views });
    },
  );

  http.post(
    '/api/apps/:app_id/syncs/:sync_id/approve/',
    {
      config: decide,
      onRequest: onSession,
      schema: {
        tags,
        summary: 'Let a held sync remove what it planned',
        params: SessionParams,
        response: { 202: SessionView },
      },
    },
    async (request, reply) => {
      const { sync_id } = request.params;
      await approveRemoval({ db, jobs }, request.principal.orgId, request.bridgeApp.id, sync_id);
      reply.code(202);
      return view(request, sync_id);
    },
  );

  http.post(
    '/api/apps/:app_id/syncs/:sync_id/reject/',
    {
      config: decide,
      onRequest: onSession,
      schema: {
        tags,
        summary: 'End a held sync without its removals',
        params: SessionParams,
        response: { 200: SessionView },
      },
    },
    async (request) => {
      const { sync_id } = request.params;
      await rejectRemoval(db, request.principal.orgId, request.bridgeApp.id, sync_id);
      return view(request, sync_id);
    },
  );
}
