import { isDeepStrictEqual } from 'node:util';
import type { OrgTx } from '#kit/database.ts';
import { DomainError, notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { tasksById } from '#work/provisioning/find.ts';
import { RETRY_AFTER_SECONDS, type Report, reportTask } from '#work/provisioning/report.ts';
import type { ErrorCode, Task } from '#work/provisioning/task.ts';
import { type Assignment, isFulfilledByPeople } from './facts.ts';
import { isAccountOfAnother } from './queries/accounts.ts';
import { findAssignment, lockAssignments, setReported } from './queries/assignments.ts';
import { fulfillmentRefusals } from './sentences.ts';

/** The error codes for a refusal. The others describe machines, and lead to automatic retries (D30). */
export const REFUSAL_CODES = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_ALREADY_EXISTS',
  'LICENSE_EXHAUSTED',
  'PERMISSION_DENIED',
  'INTERNAL_ERROR',
] as const satisfies readonly ErrorCode[];

/** Throws 409 unless the caller is the assignee and the account belongs to somebody else. */
export function requireAssignee(
  { assignee_id }: Assignment,
  beneficiary: string | null,
  userId: string,
): void {
  if (assignee_id !== userId) throw fulfillmentRefusals.task_of_somebody_else();
  if (beneficiary === userId) throw fulfillmentRefusals.task_of_own_account();
}

/**
 * Ends a task as its assignee reports it. A person whose browser lost the response may report again: the same report of the
 * same person changes nothing.
 */
async function reportAsPerson(
  call: Call,
  taskId: string,
  report: Report,
  note: string | null,
): Promise<void> {
  try {
    await endAsPerson(call, taskId, report, note);
  } catch (error) {
    const isConflict = error instanceof DomainError && error.code === 'conflict';
    if (!isConflict || !(await isRepeated(call, taskId, report, note))) throw error;
  }
}

/** Whether the task ended with this report of the caller. */
async function isRepeated(call: Call, taskId: string, report: Report, note: string | null): Promise<boolean> {
  const assignment = await findAssignment(call, taskId);
  const task = (await tasksById(call, [taskId])).get(taskId);
  if (assignment?.reported_by !== call.principal.userId || task?.status !== report.status) return false;
  if (report.status === 'failed') return isDeepStrictEqual(task.error, report.error);
  const isSameAccount = task.action !== 'create_account' || task.external_id === report.accountId;
  return assignment.note === note && isSameAccount;
}

/**
 * Ends a task with the effects and events of a connector's report. Of two concurrent reports the second is 409
 * (protocol 7.5).
 */
async function endAsPerson(call: Call, taskId: string, report: Report, note: string | null): Promise<void> {
  const found = await findAssignment(call, taskId);
  const task = (await tasksById(call, [taskId])).get(taskId);
  if (found === undefined || task === undefined) throw notFound('Task');
  if (report.status === 'completed' && task.action === 'create_account' && report.accountId === null)
    throw fulfillmentRefusals.account_id_missing();
  const reported = { appId: found.app_id, taskId, byPerson: { note } };
  await reportTask(call, reported, report, RETRY_AFTER_SECONDS, async (tx) => {
    const [assignment] = await lockAssignments(tx, [taskId]);
    if (assignment === undefined) throw notFound('Task');
    if (!(await isFulfilledByPeople(tx, assignment.app_id))) throw fulfillmentRefusals.connector_fulfills();
    requireAssignee(assignment, task.user_id, call.principal.userId);
    if (report.status === 'completed' && report.accountId !== null && task.action === 'create_account')
      await requireFreeAccount(tx, task, report.accountId);
    await setReported(tx, taskId, { by: call.principal.userId, note });
  });
}

/** A mistyped id must not take over the account of another person: the two would be merged (D24). */
async function requireFreeAccount(tx: OrgTx, task: Task, externalId: string): Promise<void> {
  if (await isAccountOfAnother(tx, task.account_id, externalId))
    throw fulfillmentRefusals.account_of_somebody_else({ external_id: externalId });
}

export const completeAsPerson = (
  call: Call,
  taskId: string,
  { accountId, note }: { accountId: string | null; note: string | null },
): Promise<void> => reportAsPerson(call, taskId, { status: 'completed', accountId }, note);

export const refuseAsPerson = (
  call: Call,
  taskId: string,
  error: { code: (typeof REFUSAL_CODES)[number]; message: string },
): Promise<void> => reportAsPerson(call, taskId, { status: 'failed', error }, null);
