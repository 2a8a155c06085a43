import type { OrgDb } from '../../kit/database/organization.ts';
import { transaction } from '../../kit/database/transaction.ts';
import { conflict, forbidden, notFound } from '../../kit/errors.ts';
import type { Call } from '../../kit/identity/call.ts';
import { recordEvents } from '../../log/events/record.ts';
import { tasksById } from '../provisioning/find.ts';
import { reassigned } from './events.ts';
import { isFulfilledByPeople } from './facts.ts';
import { lockAssignments, setAssignee } from './queries/assignments.ts';
import { type Candidate, candidates } from './queries/people.ts';
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
    if (!(await mayReassign(tx, assignment)))
      throw forbidden('Only the assignee, the owner of the app and administrators can reassign this task.');
    if (task.status !== 'pending' || !(await isFulfilledByPeople(tx, assignment.app_id)))
      throw conflict('Only open tasks of apps that people fulfill can be reassigned.');
    const from = assignment.assignee_id;
    if (from === to) throw conflict('This person has the task already. Choose another person.');
    if ((await candidatesFor(tx, taskId, to)).length === 0)
      throw conflict(
        'This person cannot carry out the task. Choose a fulfiller, the owner of the app or an administrator who is present and does not own the account.',
      );
    await setAssignee(tx, taskId, { assignee: to, reason, escalated: false });
    await recordEvents(tx, [reassigned(task, { from, to, cause: 'person', reason }, call.cause)]);
  });
}
