import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { KINDS, STATES } from '../connector.ts';
import { listRuns } from '../runs.ts';
import { AppParams, RunItem, reading, runItem, tags } from './schemas.ts';

const Query = Type.Object({
  ...longPageQuery,
  kind: Type.Optional(Type.Enum([...KINDS])),
  state: Type.Optional(Type.Enum([...STATES])),
});

export function listRunsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/connector/runs/',
    {
      config: reading,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'List runs of connector',
        description: 'Newest first. Runs are kept for 30 days.',
        params: AppParams,
        querystring: Query,
        response: { 200: longEnvelope(RunItem) },
      },
    },
    async (request) => {
      const { principal, bridgeApp, query } = request;
      const page = pageOf(query);
      const filter = { kind: query.kind ?? null, state: query.state ?? null };
      const slice = await listRuns(db, principal, bridgeApp, filter, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(runItem) });
    },
  );
}
