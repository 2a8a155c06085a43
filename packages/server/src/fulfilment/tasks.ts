import { adminAppOf } from '../apps/admin.ts';
import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { type Task, tasksByIds } from '../provisioning/find.ts';
import { type Attachment, attachmentsOf } from './attachments.ts';
import { instructionsFor } from './instructions.ts';
import { type Assignment, findAssignment } from './queries/assignments.ts';
import * as views from './queries/views.ts';
import { settingsOf } from './settings.ts';

export { reminders } from './queries/views.ts';

/** A task that people carry out, as lists show it. */
export interface ListedTask extends views.Listed {
  task: Task;
}

/** The task with everything that its assignee needs. */
export interface TaskDetails extends ListedTask {
  instructions: string | null;
  reassign_reason: string | null;
  files: Attachment[];
  /** The account as the task needs it. */
  account: Pick<Task, 'external_id' | 'email' | 'username' | 'first_name' | 'last_name'>;
  may: { report: boolean; reassign: boolean; attach: boolean };
}

/** Whether the caller is the owner of the app of an assignment. */
async function isAppOwner(db: Db, { orgId, userId }: Principal, { app_id }: Assignment): Promise<boolean> {
  const app = await adminAppOf(db, orgId, app_id).catch(() => undefined);
  return app?.owner === userId;
}

const administers = ({ role }: Principal) => role === 'owner' || role === 'admin';

/**
 * Returns the assignment of a task. Throws 404 if no person carries it out, and 403 to callers who may not see it: only its
 * assignee, the app's owner, administrators and auditors may.
 */
export async function visibleAssignment(db: Db, principal: Principal, taskId: string): Promise<Assignment> {
  const assignment = isUuid(taskId) ? await findAssignment(db, principal.orgId, taskId) : undefined;
  if (assignment === undefined) throw notFound('Task');
  if (!mayTouchApp(principal, assignment.app_id))
    throw forbidden('This key does not have access to the app of this task.');
  const mayRead = principal.role !== 'member' || assignment.assignee_id === principal.userId;
  if (!mayRead && !(await isAppOwner(db, principal, assignment)))
    throw forbidden('Only the assignee, the owner of the app and administrators can see this task.');
  return assignment;
}

/** Whether the caller may hand the task to another person: its assignee, the app's owner and administrators may. */
export const mayReassign = async (db: Db, principal: Principal, assignment: Assignment): Promise<boolean> =>
  principal.role !== 'auditor' &&
  (administers(principal) ||
    assignment.assignee_id === principal.userId ||
    (await isAppOwner(db, principal, assignment)));

/** Lists the caller's own tasks, or all that they may see. */
export async function listFulfilment(
  db: Db,
  { orgId, userId, role, apps }: Principal,
  { mine, state, app }: { mine: boolean; state: 'open' | 'ended'; app: string | null },
  page: Page,
): Promise<Slice<ListedTask>> {
  const filter = {
    state,
    app,
    apps: apps === 'all' ? null : [...apps],
    assignee: mine ? userId : null,
    visibleTo: role === 'member' ? userId : null,
  };
  const slice = await views.listAssignments(db, orgId, filter, page);
  const ids = slice.results.map(({ task_id }) => task_id);
  const tasks = new Map((await tasksByIds(db, orgId, ids)).map((task) => [task.id, task]));
  const results = slice.results.flatMap((listed) => {
    const task = tasks.get(listed.task_id);
    return task === undefined ? [] : [{ ...listed, task }];
  });
  return { ...slice, results };
}

/** Returns the task with its instructions. The caller has checked access with visibleAssignment. */
export async function fulfilmentDetails(db: Db, principal: Principal, taskId: string): Promise<TaskDetails> {
  const { orgId, userId } = principal;
  const [assignment, listed] = [
    await findAssignment(db, orgId, taskId),
    await views.findListed(db, orgId, taskId),
  ];
  const [task] = await tasksByIds(db, orgId, [taskId]);
  if (assignment === undefined || listed === undefined || task === undefined) throw notFound('Task');
  const settings = await settingsOf(db, orgId, task.app_id);
  const isOpen = task.status === 'pending' && settings.enabled;
  const report = isOpen && assignment.assignee_id === userId && task.user_id !== userId;
  const { external_id, email, username, first_name, last_name } = task;
  return {
    ...listed,
    task,
    instructions: instructionsFor(settings.instructions, task),
    reassign_reason: assignment.reassign_reason,
    files: await attachmentsOf(db, orgId, taskId),
    account: { external_id, email, username, first_name, last_name },
    may: {
      report,
      attach: report,
      reassign: isOpen && (await mayReassign(db, principal, assignment)),
    },
  };
}
