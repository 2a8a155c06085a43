import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { requireReportable } from '../list.ts';
import { RETRY_AFTER_SECONDS, reportOf, reportTask } from '../report.ts';
import { BridgeTask, BridgeTaskParams, bridgeTask, ReportedError } from './bridge-schemas.ts';

export interface ReportTools extends RouteTools {
  /** Seconds until each retry of a failed task (D30). */
  retryAfterSeconds?: readonly number[];
}

const Report = Type.Object({
  status: Type.Enum(['completed', 'failed']),
  result: Type.Optional(
    Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'For a created account: {"account": {"id": …}} with its id in the external system.',
        },
      ),
    ),
  ),
  error: Type.Optional(Nullable(ReportedError)),
});

/** Protocol 4.10. */
export function reportTaskRoute(http: Http, { db, retryAfterSeconds = RETRY_AFTER_SECONDS }: ReportTools) {
  http.patch(
    '/api/v1/bridge/apps/:app_id/tasks/:task_id/status/',
    {
      config: { access: { scope: 'bridge', apps: 'listed' } },
      onRequest: [
        withApp(db),
        async (request: FastifyRequest) => {
          const { app_id, task_id } = request.params as { app_id: string; task_id: string };
          await requireReportable(db, request.principal.orgId, app_id, task_id);
        },
      ],
      schema: {
        tags: ['Bridge: tasks'],
        summary: 'Report a task',
        params: BridgeTaskParams,
        body: Report,
        response: { 200: BridgeTask },
      },
    },
    async (request) => {
      const { principal, bridgeApp, params } = request;
      const report = reportOf(request.body);
      const tools = { db, retryAfterSeconds };
      const cause = causeOf(request);
      return bridgeTask(
        await reportTask(tools, principal.orgId, bridgeApp.id, params.task_id, report, cause),
      );
    },
  );
}
