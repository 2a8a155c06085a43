import { notFound } from '#kit/errors.ts';
import { type Call, mayTouchApp, type Principal } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { tasksById } from '#work/provisioning/find.ts';
import { taskRefusals } from '#work/provisioning/sentences.ts';
import type { Task } from '#work/provisioning/task.ts';
import { type Assignment, tasksVisibleTo } from './facts.ts';
import type { AssignmentFilter } from './filters.ts';
import { instructionsFor } from './instructions.ts';
import { findAssignment } from './queries/assignments.ts';
import { type Attachment, listAttachments } from './queries/attachments.ts';
import * as views from './queries/views.ts';
import { fulfillmentRefusals } from './sentences.ts';
import { settingsOf } from './settings.ts';

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

/** Whether the caller sees an assignment without administering the organization: its assignee and the app's owner do. */
const concerns = async (call: Call, { task_id }: Assignment): Promise<boolean> =>
  (await tasksVisibleTo(call, [task_id], call.principal.userId)).has(task_id);

const administers = ({ role }: Principal) => role === 'owner' || role === 'admin';

/**
 * Returns the assignment of a task. Throws 404 if no person carries it out, and 403 to callers who may not see it: only its
 * assignee, the app's owner, administrators and auditors may.
 */
export async function visibleAssignment(call: Call, taskId: string): Promise<Assignment> {
  const assignment = isUuid(taskId) ? await findAssignment(call, taskId) : undefined;
  if (assignment === undefined) throw notFound('Task');
  if (!mayTouchApp(call.principal, assignment.app_id)) throw taskRefusals.key_without_app_of_task();
  if (call.principal.role === 'member' && !(await concerns(call, assignment)))
    throw fulfillmentRefusals.task_seen_by_few();
  return assignment;
}

/** Whether the caller may hand the task to another person: its assignee, the app's owner and administrators may. */
export const mayReassign = async (call: Call, assignment: Assignment): Promise<boolean> =>
  call.principal.role !== 'auditor' && (administers(call.principal) || (await concerns(call, assignment)));

/** Lists the caller's own tasks, or all that they may see. */
export async function listFulfillment(
  call: Call,
  filter: AssignmentFilter,
  page: Page,
): Promise<Slice<ListedTask>> {
  const { userId, role, apps } = call.principal;
  const asked = { ...call, userId, apps: apps === 'all' ? null : [...apps], member: role === 'member' };
  const slice = await views.listAssignments(asked, filter, page);
  const ids = slice.results.map(({ task_id }) => task_id);
  const tasks = await tasksById(call, ids);
  const results = slice.results.flatMap((listed) => {
    const task = tasks.get(listed.task_id);
    return task === undefined ? [] : [{ ...listed, task }];
  });
  return { ...slice, results };
}

/** Returns the task with its instructions. The caller has checked access with visibleAssignment. */
export async function fulfillmentDetails(call: Call, taskId: string): Promise<TaskDetails> {
  const { userId } = call.principal;
  const [assignment, listed] = [await findAssignment(call, taskId), await views.findListed(call, taskId)];
  const task = (await tasksById(call, [taskId])).get(taskId);
  if (assignment === undefined || listed === undefined || task === undefined) throw notFound('Task');
  const settings = await settingsOf(call, task.app_id);
  const isOpen = task.status === 'pending' && settings.enabled;
  const report = isOpen && assignment.assignee_id === userId && task.user_id !== userId;
  const { external_id, email, username, first_name, last_name } = task;
  return {
    ...listed,
    task,
    instructions: instructionsFor(settings.instructions, task),
    reassign_reason: assignment.reassign_reason,
    files: await listAttachments(call, taskId),
    account: { external_id, email, username, first_name, last_name },
    may: {
      report,
      attach: report,
      reassign: isOpen && (await mayReassign(call, assignment)),
    },
  };
}
