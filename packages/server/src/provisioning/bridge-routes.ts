import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withApp } from '../apps/with-app.ts';
import { causeOf } from '../identity/cause.ts';
import { neighbors, pageOf } from '../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import type { Task } from './create.ts';
import { listForConnector, requireTaskOfApp, taskOfApp } from './list.ts';
import { payloadOf } from './payload.ts';
import { RETRY_AFTER_SECONDS, reportOf, reportTask } from './report.ts';
import { ACTIONS, ERROR_CODES } from './task.ts';

const Refs = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));
const ErrorOfTask = Type.Object({
  code: Type.Enum([...ERROR_CODES]),
  message: Type.String({ description: 'Shown to administrators.' }),
});

/** Contract 2.6; what stands behind payload is ours. */
const BridgeTask = Type.Object({
  id: Uuid,
  action: Type.Enum([...ACTIONS]),
  resource_type: Type.String({ description: "The slug of the account's resource type." }),
  status: Type.String({
    description: 'pending, scheduled, completed or failed; cancelled or preempted once it has left the list.',
  }),
  execute_after: Timestamp,
  created_at: Timestamp,
  payload: Type.Object({
    account: Nullable(Type.Record(Type.String(), Type.String())),
    memberships: Nullable(Type.Record(Type.String(), Refs)),
    changes: Nullable(Type.Record(Type.String(), Type.Object({ added: Refs, removed: Refs }))),
  }),
  result: Nullable(Type.Object({}, { description: 'Reserved: an empty object once completed.' })),
  error: Nullable(ErrorOfTask),
  retry_of: Nullable(Uuid),
});

const bridgeTask = (task: Task) => ({
  id: task.id,
  action: task.action,
  resource_type: task.resource_type,
  status: task.status,
  execute_after: task.execute_after,
  created_at: task.created_at,
  payload: payloadOf(task),
  result: task.status === 'completed' ? {} : null,
  error: task.error,
  retry_of: task.retry_of,
});

const LARGEST_PAGE = 1000;
/** D10. */
const Filters = Type.Object({
  status: Type.Optional(Type.Enum(['pending', 'scheduled', 'completed', 'failed'])),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 200, description: 'Page size; more than 1000 is read as 1000.' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
});
const TaskList = Type.Object({
  tasks: Type.Array(BridgeTask),
  count: Type.Integer(),
  next: Nullable(Type.String()),
  previous: Nullable(Type.String()),
});
const ReportBody = Type.Object({
  status: Type.Enum(['completed', 'failed']),
  result: Type.Optional(
    Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "Of a created account, {account: {id}} tells the external system's own id.",
        },
      ),
    ),
  ),
  error: Type.Optional(Nullable(ErrorOfTask)),
});

const AppParams = Type.Object({ app_id: Uuid });
const TaskParams = Type.Object({ app_id: Uuid, task_id: Uuid });
const config = { access: { scope: 'bridge' } } as const;
const tags = ['Bridge: tasks'];

/** Tasks as connectors see them (contract 4.9, 4.10, D14). */
export function bridgeTaskRoutes(
  http: Http,
  {
    db,
    origin,
    retryAfterSeconds = RETRY_AFTER_SECONDS,
  }: RouteTools & { retryAfterSeconds?: readonly number[] },
) {
  const onApp = withApp(db);
  const onTask = [
    onApp,
    async (request: FastifyRequest) => {
      const { app_id, task_id } = request.params as { app_id: string; task_id: string };
      await requireTaskOfApp(db, request.principal.orgId, app_id, task_id);
    },
  ];

  http.get(
    '/api/v1/bridge/apps/:app_id/tasks/',
    {
      config,
      onRequest: onApp,
      schema: {
        tags,
        summary: 'List tasks of an app',
        params: AppParams,
        querystring: Filters,
        response: { 200: TaskList },
      },
    },
    async (request) => {
      const { principal, query, bridgeApp } = request;
      const page = pageOf({ ...query, limit: query.limit ?? 200 }, LARGEST_PAGE);
      const { count, results } = await listForConnector(
        db,
        principal.orgId,
        bridgeApp.id,
        query.status ?? null,
        page,
        causeOf(request),
        principal.keyId,
      );
      return { tasks: results.map(bridgeTask), count, ...neighbors(request, origin(request), page, count) };
    },
  );

  http.get(
    '/api/v1/bridge/apps/:app_id/tasks/:task_id/',
    {
      config,
      onRequest: onApp,
      schema: { tags, summary: 'Get task of an app', params: TaskParams, response: { 200: BridgeTask } },
    },
    async ({ principal, bridgeApp, params }) =>
      bridgeTask(await taskOfApp(db, principal.orgId, bridgeApp.id, params.task_id)),
  );

  http.patch(
    '/api/v1/bridge/apps/:app_id/tasks/:task_id/status/',
    {
      config,
      onRequest: onTask,
      schema: {
        tags,
        summary: 'Report a task',
        params: TaskParams,
        body: ReportBody,
        response: { 200: BridgeTask },
      },
    },
    async (request) => {
      const { principal, bridgeApp, params, body } = request;
      const report = reportOf(body);
      const tools = { db, retryAfterSeconds };
      return bridgeTask(
        await reportTask(tools, principal.orgId, bridgeApp.id, params.task_id, report, causeOf(request)),
      );
    },
  );
}
