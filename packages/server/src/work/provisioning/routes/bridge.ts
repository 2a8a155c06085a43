import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withApp } from '../../../inventory/apps/with-app.ts';
import { type OrgDb, within } from '../../../kit/database/organization.ts';
import { neighbors, pageOf } from '../../../kit/http/lists.ts';
import { Component, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { listForConnector, requireReportable, taskOfApp } from '../list.ts';
import { RETRY_AFTER_SECONDS, reportOf, reportTask } from '../report.ts';
import { BridgeTask, BridgeTaskParams, bridgeTask, ReportedError } from './bridge-schemas.ts';

const DEFAULT_LIMIT = 200;

const LARGEST_LIMIT = 1000;

/** D10. */
const Filters = Type.Object({
  status: Type.Optional(Type.Enum(['pending', 'scheduled', 'completed', 'failed'])),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: DEFAULT_LIMIT,
      description: `Results per list page. Values above ${LARGEST_LIMIT} are reduced to ${LARGEST_LIMIT}.`,
    }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
});

export interface ListTools extends RouteTools {
  /** Whether people carry out the tasks of an app. Fulfillment is a higher feature, so app.ts passes this in. */
  isFulfilledByPeople(db: OrgDb, appId: string): Promise<boolean>;
}

/** Protocol 4.9. */
export function listBridgeTasksRoute(http: Http, { db, origin, isFulfilledByPeople }: ListTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/tasks/',
    {
      config: { access: { scope: 'bridge', apps: 'listed' } },
      onRequest: withApp(db),
      schema: {
        tags: ['Bridge: tasks'],
        summary: 'List tasks of an app',
        description: 'Without the pending tasks of an app whose tasks people carry out.',
        params: Type.Object({ app_id: Uuid }),
        querystring: Filters,
        response: {
          200: Component('BridgeTaskPage', {
            tasks: Type.Array(BridgeTask),
            count: Type.Integer(),
            next: Nullable(Type.String()),
            previous: Nullable(Type.String()),
          }),
        },
      },
    },
    async (request) => {
      const { query, bridgeApp } = request;
      const call = callOf(db, request);
      const page = pageOf({ ...query, limit: query.limit ?? DEFAULT_LIMIT }, LARGEST_LIMIT);
      const filter = {
        status: query.status ?? null,
        withPending: !(await isFulfilledByPeople(call, bridgeApp.id)),
      };
      const { count, results } = await listForConnector(call, bridgeApp.id, filter, page);
      return { tasks: results.map(bridgeTask), count, ...neighbors(request, origin(request), page, count) };
    },
  );
}

/** D14. */
export function getBridgeTaskRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/tasks/:task_id/',
    {
      config: { access: { scope: 'bridge', apps: 'listed' } },
      onRequest: withApp(db),
      schema: {
        tags: ['Bridge: tasks'],
        summary: 'Get task of an app',
        params: BridgeTaskParams,
        response: { 200: BridgeTask },
      },
    },
    async ({ principal, bridgeApp, params }) =>
      bridgeTask(await taskOfApp(within(db, principal.orgId), bridgeApp.id, params.task_id)),
  );
}

export interface ReportTools extends RouteTools {
  /** Seconds until each retry of a failed task (D30). */
  retryAfterSeconds?: readonly number[] | undefined;
}

const Report = Component('TaskReport', {
  status: Type.Enum(['completed', 'failed']),
  result: Type.Optional(
    Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'For a created account: {"account": {"id": …}} with its id in the external system. confirmed: "read" if a read after the task showed what it asked for, or "none". seen: what the read showed, as in the task.',
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
          await requireReportable(within(db, request.principal.orgId), app_id, task_id);
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
      const task = { appId: request.bridgeApp.id, taskId: request.params.task_id };
      const report = reportOf(request.body);
      return bridgeTask(await reportTask(callOf(db, request), task, report, retryAfterSeconds));
    },
  );
}
