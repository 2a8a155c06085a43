import { Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { cancelManually } from '../cancel-manually.ts';
import { type ReadFulfillment, taskDetails } from '../details.ts';
import { taskFilters } from '../filters.ts';
import { getTask, listTasks } from '../list.ts';
import { retryManually } from '../retry.ts';
import { reading, tasks } from './resource.ts';
import { TaskItem, taskItem } from './schemas.ts';

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
