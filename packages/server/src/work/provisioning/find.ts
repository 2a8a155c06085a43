import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { RawBuilder } from '#kit/sql.ts';
import * as find from './queries/find.ts';
import * as views from './queries/views.ts';
import type { Task, TaskSource } from './task.ts';

/** Returns tasks by id. Unknown ones are missing. */
export const tasksById = async (db: OrgDb, ids: string[]): Promise<Map<string, Task>> =>
  new Map((await views.tasksByIds(db, ids)).map((task) => [task.id, task]));

/** Returns the tasks that a decision has created so far, oldest first. */
export const tasksOf = (db: OrgDb, { type, id }: TaskSource): Promise<Task[]> =>
  views.tasksBySource(db, type, [id]);

/** Returns the tasks that several tickets have created so far, oldest first. */
export const tasksOfTickets = (db: OrgDb, ids: string[]): Promise<Task[]> =>
  views.tasksBySource(db, 'ticket', ids);

/** Returns the scheduled and pending tasks of an account, oldest first. */
export const openTasks = (db: OrgDb, accountId: string): Promise<Task[]> =>
  views.openTasksOfAccount(db, accountId);

/** Returns the accounts of an app that tasks have changed since a time, given as SQL. */
export const accountsTouchedSince = (
  tx: OrgTx,
  appId: string,
  since: RawBuilder<unknown>,
): Promise<string[]> => find.accountsWithCompletedTasks(tx, appId, since);

/** Returns the open tasks that delete or suspend these accounts, by account. */
export const openRemovals = async (
  db: OrgDb,
  accountIds: readonly string[],
): Promise<Map<string, views.OpenRemoval[]>> =>
  Map.groupBy(await views.openRemovals(db, accountIds), ({ account_id }) => account_id);
