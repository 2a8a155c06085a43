import { type Static, Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { resource } from '#kit/http.ts';
import { Component, Instant, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { type ReadFulfillment, taskDetails } from '../details.ts';
import { taskFilters } from '../filters.ts';
import { getTask, listTasks, requireAccessibleTask } from '../list.ts';
import { cancelManually, createManualTask, type ManualRequest } from '../manual.ts';
import { retryManually } from '../retry.ts';
import { Action } from '../task-schemas.ts';
import { TaskItem, taskItem } from './schemas.ts';

const reading = { access: { scope: 'read', apps: 'listed' } } as const;

const tasks = resource({
  path: '/api/tasks/',
  tag: 'Tasks',
  reading,
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
  id: 'task_id',
  find: requireAccessibleTask,
  schema: TaskItem,
  view: taskItem,
});

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
  leaving: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'For suspend_account: the person leaves. Then a policy for users who are reactivated ends the suspension.',
    }),
  ),
  instead_of: Type.Optional(
    Nullable({
      ...Uuid,
      description:
        'For delete_account: the open task that deletes the account later, and that this one replaces. Without it, an account that a task already deletes is 409.',
    }),
  ),
});

const requestIn = (body: Static<typeof NewTask>): ManualRequest => ({
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
  leaving: body.leaving ?? false,
});

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

const Cancellation = Type.Optional(
  Nullable(
    Component('TaskCancellation', { reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))) }),
  ),
);

export interface TaskTools {
  readFulfillment: ReadFulfillment;
}

/** Protocol 4.15 and 12. */
export const manualTaskRoutes = ({ readFulfillment }: TaskTools) => [
  tasks.list(
    'List tasks',
    {
      config: { ...reading, reads: 'replica', ignoresUnknownQuery: true },
      query: taskFilters.query,
      isLong: true,
    },
    listTasks,
  ),
  tasks.create('Create a task', { body: NewTask }, ({ call, body }) =>
    createManualTask(call, requestIn(body)),
  ),
  tasks.one.get('', 'Get task', { reply: TaskDetails }, async ({ call, found }) => {
    const details = await taskDetails(call, found.id, readFulfillment);
    return { ...details, ...taskItem(details.task) };
  }),
  tasks.act(
    'retry/',
    'Retry a failed task',
    {
      description: 'Creates a new task. A task can be retried once; if the new task fails, retry that one.',
      status: 201,
    },
    async ({ call, found }) => getTask(call, await retryManually(call, found.id)),
  ),
  tasks.act('cancel/', 'Cancel a task', { body: Cancellation }, async ({ call, found, body }) => {
    await cancelManually(call, found.id, body?.reason ?? null);
    return getTask(call, found.id);
  }),
];
