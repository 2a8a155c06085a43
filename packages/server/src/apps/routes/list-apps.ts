import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listAdminApps, type ReadActivity } from '../admin.ts';
import { AppView, everyRole, tags, withActivity } from './schemas.ts';

const Query = Type.Object({
  ...pageQuery,
  q: Type.Optional(Type.String({ description: 'Part of the name, case-insensitive.' })),
});

/** Lists apps. Every role may, because everyone may request access (protocol 11). */
export function listAppsRoute(http: Http, tools: RouteTools & ReadActivity) {
  const { db, origin } = tools;
  http.get(
    '/api/apps/',
    {
      config: everyRole,
      schema: { tags, summary: 'List apps', querystring: Query, response: { 200: envelope(AppView) } },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listAdminApps(db, request.principal, request.query.q || null, page);
      const results = await withActivity(tools, request.principal, slice.results);
      return listReply(request, origin(request), page, { ...slice, results });
    },
  );
}
