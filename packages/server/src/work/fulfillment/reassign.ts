import { type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { tasksById } from '#work/provisioning/find.ts';
import { reassigned } from './events.ts';
import { isFulfilledByPeople } from './facts.ts';
import { lockAssignments, pendingTasksOf, setAssignee } from './queries/assignments.ts';
import { type Candidate, candidates } from './queries/people.ts';
import { fulfillmentRefusals } from './sentences.ts';
import { mayReassign } from './tasks.ts';

/** Returns the people who can take over a task. */
export async function candidatesFor(
  db: OrgDb,
  taskId: string,
  only: string | null = null,
): Promise<Candidate[]> {
  const task = (await tasksById(db, [taskId])).get(taskId);
  if (task === undefined) throw notFound('Task');
  const found = await candidates(db, task.app_id, { administrators: true, only });
  return found.filter(({ id, away }) => id !== task.user_id && !away);
}

/** Hands a pending task to another person. Throws 403 if the caller may not, 409 if the person cannot carry it out. */
export async function reassignTask(
  call: Call,
  taskId: string,
  { assignee, reason }: { assignee: string; reason: string },
): Promise<void> {
  const to = assignee.toLowerCase();
  await transaction(call, async (tx) => {
    const [assignment] = await lockAssignments(tx, [taskId]);
    const task = (await tasksById(tx, [taskId])).get(taskId);
    if (assignment === undefined || task === undefined) throw notFound('Task');
    if (!(await mayReassign(tx, assignment))) throw fulfillmentRefusals.task_reassigned_by_few();
    if (task.status !== 'pending' || !(await isFulfilledByPeople(tx, assignment.app_id)))
      throw fulfillmentRefusals.task_not_reassignable();
    const from = assignment.assignee_id;
    if (from === to) throw fulfillmentRefusals.task_has_this_person();
    if ((await candidatesFor(tx, taskId, to)).length === 0) throw fulfillmentRefusals.person_cannot_fulfill();
    await setAssignee(tx, taskId, { assignee: to, reason, escalated: false });
    await recordEvents(tx, [reassigned(task, { from, to, cause: 'person', reason }, call.cause)]);
  });
}

/**
 * Hands the pending tasks of a person who leaves to another one, as far as that one may carry them out. The others go to the next fulfiller.
 * The caller records the events. Null: only counts the tasks.
 */
export async function handOverTasks(
  tx: CallTx,
  fromId: string,
  toId: string | null,
  reason: string,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const ids = await pendingTasksOf(tx, fromId);
  const events: NewEvent[] = [];
  if (toId === null) return { found: ids.length, moved: 0, events };
  const tasks = await tasksById(tx, ids);
  for (const { task_id, assignee_id: from } of await lockAssignments(tx, ids)) {
    const task = tasks.get(task_id);
    if (from !== fromId || task === undefined) continue;
    if ((await candidatesFor(tx, task_id, toId)).length === 0) continue;
    await setAssignee(tx, task_id, { assignee: toId, reason, escalated: false });
    events.push(reassigned(task, { from, to: toId, cause: 'person', reason }, tx.cause));
  }
  return { found: ids.length, moved: events.length, events };
}
