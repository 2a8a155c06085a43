import { Type } from 'typebox';
import { accessibleApp } from '#inventory/apps/apps.ts';
import { belowApp } from '#inventory/apps/routes/below-app.ts';
import type { OrgDb } from '#kit/database.ts';
import { neighbors, type Place, pageOf, resource } from '#kit/http.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { listForConnector, requireReportable, taskOfApp } from '../list.ts';
import { RETRY_AFTER_SECONDS, reportOf, reportTask } from '../report.ts';
import { BridgeTask, bridgeTask, ReportedError } from './bridge-schemas.ts';

const DEFAULT_LIMIT = 200;

const LARGEST_LIMIT = 1000;

const connectors = { access: { scope: 'bridge', apps: 'listed' } } as const;
const place = {
  tag: 'Bridge: tasks',
  reading: connectors,
  managing: connectors,
} satisfies Partial<Place>;

const app = belowApp({ ...place, path: '/api/v1/bridge/apps/' });

/** Tasks that a connector can report. */
const reportable = resource({
  ...place,
  path: '/api/v1/bridge/apps/:app_id/tasks/',
  params: { app_id: Uuid },
  id: 'task_id',
  find: async (call, taskId, { app_id = '' }) => {
    const { id: appId } = await accessibleApp(call.db, call.principal, app_id);
    await requireReportable(call, appId, taskId);
    return { appId, taskId };
  },
  schema: BridgeTask,
  view: bridgeTask,
});

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

export interface BridgeTools {
  /** Whether people carry out the tasks of an app. Fulfillment is a higher feature, so app.ts passes this in. */
  isFulfilledByPeople(db: OrgDb, appId: string): Promise<boolean>;
  /** Seconds until each retry of a failed task (D30). */
  retryAfterSeconds?: readonly number[] | undefined;
}

export const bridgeRoutes = ({
  isFulfilledByPeople,
  retryAfterSeconds = RETRY_AFTER_SECONDS,
}: BridgeTools) => [
  // Protocol 4.9, D10.
  app.get(
    'tasks/',
    'List tasks of an app',
    {
      description: 'Without the pending tasks of an app whose tasks people carry out.',
      query: {
        status: Type.Optional(Type.Enum(['pending', 'scheduled', 'completed', 'failed'])),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            default: DEFAULT_LIMIT,
            description: `Results per list page. Values above ${LARGEST_LIMIT} are reduced to ${LARGEST_LIMIT}.`,
          }),
        ),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
      },
      reply: Component('BridgeTaskPage', {
        tasks: Type.Array(BridgeTask),
        count: Type.Integer(),
        next: Nullable(Type.String()),
        previous: Nullable(Type.String()),
      }),
    },
    async ({ call, found, query, request, tools }) => {
      const page = pageOf({ ...query, limit: query.limit ?? DEFAULT_LIMIT }, LARGEST_LIMIT);
      const withPending = !(await isFulfilledByPeople(call, found.id));
      const filter = { status: query.status ?? null, withPending };
      const { count, results } = await listForConnector(call, found.id, filter, page);
      const addresses = neighbors(request, tools.origin(request), page, count);
      return { tasks: results.map(bridgeTask), count, ...addresses };
    },
  ),
  // D14.
  app.get(
    'tasks/:task_id/',
    'Get task of an app',
    { params: { task_id: Uuid }, reply: BridgeTask },
    async ({ call, found, params }) => bridgeTask(await taskOfApp(call, found.id, params.task_id)),
  ),
  // Protocol 4.10.
  reportable.one.patch(
    'status/',
    'Report a task',
    { body: Report, reply: BridgeTask },
    async ({ call, found, body }) =>
      bridgeTask(await reportTask(call, found, reportOf(body), retryAfterSeconds)),
  ),
];
