import type { OrgDb } from '#kit/database.ts';
import { getTask } from './list.ts';
import { confirmingSync } from './queries/views.ts';
import type { Task } from './task.ts';

/** How people carry out a task. Fulfillment belongs to a higher layer. */
interface Fulfillment {
  assignee: { external_uuid: string; email: string } | null;
  due_at: Date;
  note: string | null;
  reported_by: string | null;
}

/** Returns how people carry out a task, or null if nobody was asked to. */
export type ReadFulfillment = (db: OrgDb, taskId: string) => Promise<Fulfillment | null>;

interface TaskDetails {
  task: Task;
  confirmed_by_sync: string | null;
  fulfillment: Fulfillment | null;
}

/** Returns a task with the sync that confirmed it, and who carries it out by hand. */
export async function taskDetails(
  db: OrgDb,
  taskId: string,
  readFulfillment: ReadFulfillment,
): Promise<TaskDetails> {
  const task = await getTask(db, taskId);
  const confirmed_by_sync = task.confirmed ? await confirmingSync(db, taskId) : null;
  return { task, confirmed_by_sync, fulfillment: await readFulfillment(db, taskId) };
}
