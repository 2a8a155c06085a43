import type { RawBuilder } from 'kysely';
import type { Db, Tx } from '../platform/database/open.ts';
import * as find from './queries/find.ts';
import type { Grant, Task } from './queries/views.ts';
import * as views from './queries/views.ts';
import type { TaskSource } from './task.ts';

export type { Task } from './queries/views.ts';
export { tasksByIds } from './queries/views.ts';

/** Returns the tasks that a decision has created so far, oldest first. */
export const tasksOf = (db: Db, orgId: string, { type, id }: TaskSource): Promise<Task[]> =>
  views.tasksBySource(db, orgId, type, [id]);

/** Returns the tasks that several tickets have created so far, oldest first. */
export const tasksOfTickets = (db: Db, orgId: string, ids: string[]): Promise<Task[]> =>
  views.tasksBySource(db, orgId, 'ticket', ids);

/** Returns the scheduled and pending tasks of an account, oldest first. */
export const openTasks = (db: Db, orgId: string, accountId: string): Promise<Task[]> =>
  views.openTasksOfAccount(db, orgId, accountId);

/**
 * Returns the latest completed tasks that created these accounts or granted a group or license that they still hold.
 * Access without such a task existed before, or was found by a sync.
 */
export const grantsOf = (db: Db, orgId: string, accountIds: string[]): Promise<Grant[]> =>
  views.latestGrants(db, orgId, accountIds);

/** Returns the accounts of an app that tasks have changed since a time, given as SQL. */
export const accountsTouchedSince = (
  tx: Tx,
  orgId: string,
  appId: string,
  since: RawBuilder<unknown>,
): Promise<string[]> => find.accountsWithCompletedTasks(tx, orgId, appId, since);
