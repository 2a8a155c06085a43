import type { App } from '#inventory/apps/app.ts';
import { type Cause, type RequestCause, SYSTEM } from '#kit/identity.ts';
import type { EventType, Payload } from '#log/events/catalog.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Task } from './task.ts';

type TaskEventType = Extract<EventType, `task.${string}`>;
/** The fields that an event of this type adds to those of every task event. */
type Extra<T extends TaskEventType> = Omit<Payload<T>, keyof ReturnType<typeof taskPayload>>;

/** The fields of every task event. */
export const taskPayload = (task: Task) => ({
  app_id: task.app_id,
  app_name: task.app_name,
  task_id: task.id,
  action: task.action,
  task_type: task.task_type,
  account_id: task.account_id,
  external_id: task.external_id,
  email: task.email,
  user_id: task.user_id,
});

export const taskEvent = <T extends TaskEventType>(
  task: Task,
  { actor, source }: Cause,
  type: T,
  extra: Extra<T>,
): NewEvent =>
  ({
    type,
    actor,
    subject: { type: 'task', uuid: task.id },
    source,
    payload: { ...taskPayload(task), ...extra },
  }) as NewEvent;

/** An administrator's decision about tasks that exceed the daily budget of their app (D46). */
export const heldTasksDecided = (
  type: 'removal_budget.confirmed' | 'removal_budget.rejected',
  app: App,
  tasks: readonly string[],
  { actor, source }: RequestCause,
): NewEvent => ({
  type,
  actor,
  subject: { type: 'app', uuid: app.id },
  source,
  payload: { app_id: app.id, app_name: app.name, tasks: tasks.length },
});

/** Tasks that exceed the daily budget of their app and wait for confirmation from now on. */
export const budgetExceeded = (app_id: string, app_name: string, tasks: number): NewEvent => ({
  type: 'removal_budget.exceeded',
  actor: SYSTEM,
  subject: { type: 'app', uuid: app_id },
  source: { type: 'system', uuid: null },
  payload: { app_id, app_name, tasks },
});

export const createdEvent = (task: Task, cause: Cause): NewEvent =>
  taskEvent(task, cause, 'task.created', {
    execute_after: task.execute_after,
    reason: task.reason?.text ?? null,
    ...userNameIn(task),
  });

/** The user name that a new account gets (D82). */
export const userNameIn = ({ action, username }: Task) =>
  action === 'create_account' && username !== '' ? { username } : {};
