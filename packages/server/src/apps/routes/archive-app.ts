import { Type } from 'typebox';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { type ArchiveHook, archive } from '../admin.ts';
import { withApp } from '../with-app.ts';
import { callerOf } from './caller.ts';
import { AppParams, administrators, tags } from './schemas.ts';

/** Archives an app. */
export function archiveAppRoute(
  http: Http,
  { db, onArchive }: RouteTools & { onArchive: readonly ArchiveHook[] },
) {
  http.delete(
    '/api/apps/:app_id/',
    {
      config: administrators,
      onRequest: withApp(db),
      schema: { tags, summary: 'Archive app', params: AppParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await archive(db, callerOf(request), request.bridgeApp.id, onArchive);
      reply.code(204);
      return null;
    },
  );
}
