import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppReference, appReference } from '../apps/reference.ts';
import { causeOf } from '../identity/cause.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../platform/http/lists.ts';
import { Instant, Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';

import type { Task } from './create.ts';
import { explain } from './explain.ts';
import { getTask, listTasks, requireAccessibleTask } from './list.ts';
import { cancelManually, createManualTask } from './manual.ts';
import { changesOf } from './payload.ts';
import { retryManually } from './report.ts';
import { ACTIONS, ERROR_CODES } from './task.ts';

const STATUSES = ['scheduled', 'pending', 'completed', 'failed', 'cancelled', 'preempted'];

const Refs = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));

/** Contract 2.11, D32; what stands behind task_type is ours. */
export const TaskItem = Type.Object({
  external_uuid: Uuid,
  app: AppReference,
  app_user: Type.Object({ external_uuid: Uuid, email: Type.String() }),
  creator: Nullable(
    Type.Object({
      external_uuid: Uuid,
      username: Type.String(),
      email: Type.String(),
      first_name: Type.String(),
      last_name: Type.String(),
    }),
  ),
  op_type: Type.String({
    description: 'PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC.',
  }),
  task_type: Type.String({ description: 'USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY.' }),
  status: Type.String({ description: STATUSES.join(', ') }),
  action: Type.Enum([...ACTIONS]),
  created_at: Timestamp,
  execute_after: Timestamp,
  dispatched_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  changes: Type.Record(Type.String(), Type.Object({ added: Refs, removed: Refs })),
  reason: Nullable(Type.String()),
  source: Nullable(Type.Object({ type: Type.String(), id: Uuid })),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  explanation: Nullable(Type.String({ description: 'What happened, and what to do, in plain words.' })),
  retry_of: Nullable(Uuid),
  attempt: Type.Integer(),
  preempted_by: Nullable(Uuid),
});

export const taskItem = (task: Task) => ({
  ...task,
  external_uuid: task.id,
  app: appReference(task.app_id, task.app_name),
  app_user: { external_uuid: task.account_id, email: task.email },
  creator: task.creator === null ? null : { ...task.creator, external_uuid: task.creator.id },
  op_type: task.confirmed ? 'POST_SYNC' : 'PRE_SYNC',
  changes: changesOf(task),
  explanation: explain(task),
});

const Filters = Type.Object({
  ...longPageQuery,
  app: Type.Optional(Uuid),
  account: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum(STATUSES)),
  action: Type.Optional(Type.Enum([...ACTIONS])),
  user: Type.Optional({ ...Uuid, description: "The tasks of one person's accounts." }),
  source: Type.Optional({ ...Uuid, description: 'The ticket, review item or policy that made it.' }),
  error_code: Type.Optional(Type.Enum([...ERROR_CODES])),
  email: Type.Optional(Type.String({ description: "Part of the account's email, compared without case." })),
});

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 });
const BySlug = Type.Optional(Nullable(Type.Record(Type.String(), Ids)));
/** Governance.md, "Manual actions". */
const NewTask = Type.Object({
  app: Uuid,
  action: Type.Enum([...ACTIONS]),
  user: Type.Optional(Nullable(Uuid)),
  account: Type.Optional(Nullable(Uuid)),
  resource_type: Type.Optional(
    Nullable(Type.String({ description: 'Of an app with several account types, the one to create.' })),
  ),
  memberships: BySlug,
  assignments: BySlug,
  changes: Type.Optional(
    Nullable(
      Type.Record(
        Type.String(),
        Type.Object({ added: Type.Optional(Nullable(Ids)), removed: Type.Optional(Nullable(Ids)) }),
      ),
    ),
  ),
  execute_after: Type.Optional(Nullable(Instant)),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});
const Cancellation = Type.Optional(
  Nullable(Type.Object({ reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))) })),
);

const TaskParams = Type.Object({ task_id: Uuid });
const reading = { access: { scope: 'read' } } as const;
const deciding = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const tags = ['Tasks'];

/** Tasks as people read and make them (contract 4.15, governance.md "Manual actions"). */
export function taskRoutes(http: Http, { db, origin }: RouteTools) {
  const onTask = async (request: FastifyRequest) =>
    requireAccessibleTask(db, request.principal, (request.params as { task_id: string }).task_id);

  http.get(
    '/api/tasks/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List tasks',
        querystring: Filters,
        response: { 200: longEnvelope(TaskItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { app = null, account = null, status = null, action = null } = request.query;
      const { user = null, source = null, error_code: errorCode = null, email } = request.query;
      const own = { user, source, errorCode, email: email || null };
      const filter = { app, account, status: status as Task['status'] | null, action, ...own };
      const slice = await listTasks(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(taskItem) });
    },
  );

  http.post(
    '/api/tasks/',
    {
      config: deciding,
      schema: { tags, summary: 'Create a task', body: NewTask, response: { 201: TaskItem } },
    },
    async (request, reply) => {
      const { body } = request;
      const task = await createManualTask(
        db,
        request.principal,
        {
          app: body.app,
          action: body.action,
          user: body.user ?? null,
          account: body.account ?? null,
          resourceType: body.resource_type ?? null,
          memberships: body.memberships ?? {},
          assignments: body.assignments ?? {},
          changes: body.changes ?? {},
          executeAfter: body.execute_after ?? null,
          reason: body.reason ?? null,
        },
        causeOf(request),
      );
      reply.code(201);
      return taskItem(task);
    },
  );

  http.get(
    '/api/tasks/:task_id/',
    {
      config: reading,
      onRequest: onTask,
      schema: { tags, summary: 'Get task', params: TaskParams, response: { 200: TaskItem } },
    },
    async ({ principal, params }) => taskItem(await getTask(db, principal.orgId, params.task_id)),
  );

  http.post(
    '/api/tasks/:task_id/retry/',
    {
      config: deciding,
      onRequest: onTask,
      schema: {
        tags,
        summary: 'Try a failed task again',
        description: 'Once: what fails anew is a task of its own, and can be tried again itself.',
        params: TaskParams,
        response: { 201: TaskItem },
      },
    },
    async (request, reply) => {
      const { orgId } = request.principal;
      const id = await retryManually(db, orgId, request.params.task_id, causeOf(request));
      reply.code(201);
      return taskItem(await getTask(db, orgId, id));
    },
  );

  http.post(
    '/api/tasks/:task_id/cancel/',
    {
      config: deciding,
      onRequest: onTask,
      schema: {
        tags,
        summary: 'Cancel a task',
        params: TaskParams,
        body: Cancellation,
        response: { 200: TaskItem },
      },
    },
    async (request) => {
      const { orgId } = request.principal;
      const { task_id } = request.params;
      await cancelManually(db, orgId, task_id, request.body?.reason ?? null, causeOf(request));
      return taskItem(await getTask(db, orgId, task_id));
    },
  );
}
