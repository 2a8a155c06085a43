import { Type } from 'typebox';
import { PersonEmail } from '../../../directory/people/reference.ts';
import { within } from '../../../kit/database/organization.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../../kit/http/lists.ts';
import { Component, Instant, MapOf, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { causeOf } from '../../../kit/identity/cause.ts';
import { type ReadFulfillment, taskDetails } from '../details.ts';
import { getTask, listTasks } from '../list.ts';
import { cancelManually, createManualTask } from '../manual.ts';
import { retryManually } from '../retry.ts';
import {
  Action,
  ErrorCode,
  TaskItem,
  TaskParams,
  TaskStatus,
  taskItem,
  WaitsFor,
  withTask,
} from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  app: Type.Optional(Uuid),
  account: Type.Optional(Uuid),
  status: Type.Optional(TaskStatus),
  action: Type.Optional(Action),
  user: Type.Optional({ ...Uuid, description: 'Tasks of the accounts of this user.' }),
  source: Type.Optional({ ...Uuid, description: 'The ticket, review item or policy that created the task.' }),
  error_code: Type.Optional(ErrorCode),
  waits_for: Type.Optional(WaitsFor),
  hold: Type.Optional({ ...Uuid, description: 'Tasks that wait in this hold.' }),
  attempts_of: Type.Optional({
    ...Uuid,
    description: 'All attempts at this task: itself, the tasks that it retries, and those that retry it.',
  }),
  email: Type.Optional(Type.String({ description: "Part of the account's email, compared without case." })),
});

/** Protocol 4.15. */
export function listTasksRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/tasks/',
    {
      config: { access: { scope: 'read', apps: 'listed' }, reads: 'replica', ignoresUnknownQuery: true },
      schema: {
        tags: ['Tasks'],
        summary: 'List tasks',
        querystring: Filters,
        response: { 200: longEnvelope(TaskItem) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { app = null, account = null, status = null, action = null } = request.query;
      const {
        user = null,
        source = null,
        error_code: errorCode = null,
        waits_for: waitsFor = null,
        hold = null,
        attempts_of: attemptsOf = null,
      } = request.query;
      const email = request.query.email || null;
      const filter = {
        app,
        account,
        status,
        action,
        user,
        source,
        errorCode,
        email,
        waitsFor,
        hold,
        attemptsOf,
      };
      const { results, ...counts } = await listTasks(callOf(db, request), filter, page);
      return listReply(request, origin(request), page, { ...counts, results: results.map(taskItem) });
    },
  );
}

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 });

const BySlug = Type.Optional(
  Nullable(
    MapOf(Ids, {
      title: 'EntitlementIds',
      maxProperties: 100,
      description: 'For create_account: external ids by resource type slug.',
    }),
  ),
);

const NewTask = Component('NewTask', {
  app: Uuid,
  action: Action,
  user: Type.Optional(
    Nullable(Type.String({ format: 'uuid', description: 'For create_account: who gets the account.' })),
  ),
  account: Type.Optional(
    Nullable(Type.String({ format: 'uuid', description: 'For all other actions: the account.' })),
  ),
  resource_type: Type.Optional(
    Nullable(
      Type.String({
        description: 'For create_account: the slug of the account type. By default the first registered one.',
      }),
    ),
  ),
  memberships: BySlug,
  assignments: BySlug,
  changes: Type.Optional(
    Nullable(
      MapOf(
        Component('EntitlementIdChanges', {
          added: Type.Optional(Nullable(Ids)),
          removed: Type.Optional(Nullable(Ids)),
        }),
        { maxProperties: 100, description: 'For update_account: external ids by resource type slug.' },
      ),
    ),
  ),
  execute_after: Type.Optional(
    Nullable({ ...Instant, description: 'From today to 10 years ahead. Null: now.' }),
  ),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  instead_of: Type.Optional(
    Nullable({
      ...Uuid,
      description:
        'For delete_account: the open task that deletes the account later, and that this one replaces. Without it, an account that a task already deletes is 409.',
    }),
  ),
});

/** Protocol 12. */
export function createTaskRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/tasks/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      schema: { tags: ['Tasks'], summary: 'Create a task', body: NewTask, response: { 201: TaskItem } },
    },
    async (request, reply) => {
      const { body } = request;
      const wanted = {
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
        insteadOf: body.instead_of?.toLowerCase() ?? null,
      };
      const task = await createManualTask(callOf(db, request), wanted);
      reply.code(201);
      return taskItem(task);
    },
  );
}

export interface TaskTools extends RouteTools {
  readFulfillment: ReadFulfillment;
}

const TaskDetails = Component('TaskDetails', {
  ...TaskItem.properties,
  confirmed_by_sync: Nullable({
    ...Uuid,
    description:
      'The first completed sync that began after the task was completed, and has not been reverted.',
  }),
  fulfillment: Nullable(
    Component(
      'TaskFulfillment',
      {
        assignee: Nullable(PersonEmail),
        due_at: Timestamp,
        note: Nullable(Type.String()),
        reported_by: Nullable(Uuid),
      },
      {
        description:
          'The person who carries out the task by hand, and the due date. null: nobody was asked to.',
      },
    ),
  ),
});

export function getTaskRoute(http: Http, tools: TaskTools) {
  http.get(
    '/api/tasks/:task_id/',
    {
      config: { access: { scope: 'read', apps: 'listed' } },
      onRequest: withTask(tools),
      schema: { tags: ['Tasks'], summary: 'Get task', params: TaskParams, response: { 200: TaskDetails } },
    },
    async ({ principal, params }) => {
      const details = await taskDetails(
        within(tools.db, principal.orgId),
        params.task_id,
        tools.readFulfillment,
      );
      return { ...details, ...taskItem(details.task) };
    },
  );
}

/** Protocol 12. */
export function retryTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/tasks/:task_id/retry/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      onRequest: withTask(tools),
      schema: {
        tags: ['Tasks'],
        summary: 'Retry a failed task',
        description: 'Creates a new task. A task can be retried once; if the new task fails, retry that one.',
        params: TaskParams,
        response: { 201: TaskItem },
      },
    },
    async (request, reply) => {
      const { orgId } = request.principal;
      const id = await retryManually(within(tools.db, orgId), request.params.task_id, causeOf(request));
      reply.code(201);
      return taskItem(await getTask(within(tools.db, orgId), id));
    },
  );
}

const Cancellation = Type.Optional(
  Nullable(
    Component('TaskCancellation', { reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))) }),
  ),
);

/** Protocol 12. */
export function cancelTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/tasks/:task_id/cancel/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      onRequest: withTask(tools),
      schema: {
        tags: ['Tasks'],
        summary: 'Cancel a task',
        params: TaskParams,
        body: Cancellation,
        response: { 200: TaskItem },
      },
    },
    async (request) => {
      const { orgId } = request.principal;
      const { task_id } = request.params;
      await cancelManually(within(tools.db, orgId), task_id, request.body?.reason ?? null, causeOf(request));
      return taskItem(await getTask(within(tools.db, orgId), task_id));
    },
  );
}
