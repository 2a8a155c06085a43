import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, notFound } from '../platform/errors.ts';
import { tasksByIds } from '../provisioning/find.ts';
import { reassigned } from './events.ts';
import { lockAssignments, setAssignee } from './queries/assignments.ts';
import { type Candidate, candidates } from './queries/people.ts';
import { isFulfilledByPeople } from './settings.ts';
import { mayReassign } from './tasks.ts';

/** Returns the people who can take over a task. */
export async function candidatesFor(
  db: Db,
  orgId: string,
  taskId: string,
  only: string | null = null,
): Promise<Candidate[]> {
  const [task] = await tasksByIds(db, orgId, [taskId]);
  if (task === undefined) throw notFound('Task');
  const found = await candidates(db, orgId, task.app_id, { administrators: true, only });
  return found.filter(({ id, away }) => id !== task.user_id && !away);
}

/** Hands a pending task to another person. Throws 403 if the caller may not, 409 if the person cannot carry it out. */
export async function reassignTask(
  db: Db,
  principal: Principal,
  taskId: string,
  { assignee, reason }: { assignee: string; reason: string },
  cause: RequestCause,
): Promise<void> {
  const { orgId } = principal;
  const to = assignee.toLowerCase();
  await transaction(db, async (tx) => {
    const [assignment] = await lockAssignments(tx, orgId, [taskId]);
    const [task] = await tasksByIds(tx, orgId, [taskId]);
    if (assignment === undefined || task === undefined) throw notFound('Task');
    if (!(await mayReassign(tx, principal, assignment)))
      throw forbidden('Only the assignee, the owner of the app and administrators can reassign this task.');
    if (task.status !== 'pending' || !(await isFulfilledByPeople(tx, orgId, assignment.app_id)))
      throw conflict('Only open tasks of apps that people fulfil can be reassigned.');
    const from = assignment.assignee_id;
    if (from === to) throw conflict('This person has the task already. Choose another person.');
    if ((await candidatesFor(tx, orgId, taskId, to)).length === 0)
      throw conflict(
        'This person cannot carry out the task. Choose a fulfiller, the owner of the app or an administrator who is present and does not own the account.',
      );
    await setAssignee(tx, orgId, taskId, { assignee: to, reason, escalated: false });
    await recordEvents(tx, orgId, [reassigned(task, { from, to, cause: 'person', reason }, cause)]);
  });
}
