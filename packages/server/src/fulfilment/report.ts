import { isDeepStrictEqual } from 'node:util';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { conflict, DomainError, invalid, notFound } from '../platform/errors.ts';
import { type Task, tasksByIds } from '../provisioning/find.ts';
import { RETRY_AFTER_SECONDS, type Report, reportTask } from '../provisioning/report.ts';
import type { ErrorCode } from '../provisioning/task.ts';
import { isAccountOfAnother } from './queries/accounts.ts';
import { type Assignment, findAssignment, lockAssignments, setReported } from './queries/assignments.ts';
import { isFulfilledByPeople } from './settings.ts';

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
  if (assignee_id !== userId)
    throw conflict('This task is assigned to somebody else. Reassign it to yourself first.');
  if (beneficiary === userId)
    throw conflict('This task changes your own account. Ask somebody else to carry it out.');
}

/**
 * Ends a task as its assignee reports it. A person whose browser lost the response may report again: the same report of the
 * same person changes nothing.
 */
async function reportAsPerson(
  db: Db,
  principal: Principal,
  taskId: string,
  report: Report,
  note: string | null,
  cause: RequestCause,
): Promise<void> {
  try {
    await endAsPerson(db, principal, taskId, report, note, cause);
  } catch (error) {
    const isConflict = error instanceof DomainError && error.code === 'conflict';
    if (!isConflict || !(await isRepeated(db, principal, taskId, report, note))) throw error;
  }
}

/** Whether the task ended with this report of the caller. */
async function isRepeated(
  db: Db,
  { orgId, userId }: Principal,
  taskId: string,
  report: Report,
  note: string | null,
): Promise<boolean> {
  const assignment = await findAssignment(db, orgId, taskId);
  const [task] = await tasksByIds(db, orgId, [taskId]);
  if (assignment?.reported_by !== userId || task?.status !== report.status) return false;
  if (report.status === 'failed') return isDeepStrictEqual(task.error, report.error);
  const isSameAccount = task.action !== 'create_account' || task.external_id === report.accountId;
  return assignment.note === note && isSameAccount;
}

/**
 * Ends a task with the effects and events of a connector's report. Of two concurrent reports the second is 409
 * (protocol 7.5).
 */
async function endAsPerson(
  db: Db,
  { orgId, userId }: Principal,
  taskId: string,
  report: Report,
  note: string | null,
  cause: RequestCause,
): Promise<void> {
  const found = await findAssignment(db, orgId, taskId);
  const [task] = await tasksByIds(db, orgId, [taskId]);
  if (found === undefined || task === undefined) throw notFound('Task');
  if (report.status === 'completed' && task.action === 'create_account' && report.accountId === null)
    throw invalid(
      'Field required (account_id): the id, username or email that identifies the account in the app.',
    );
  const tools = { db, retryAfterSeconds: RETRY_AFTER_SECONDS };
  await reportTask(tools, orgId, found.app_id, taskId, report, cause, async (tx) => {
    const [assignment] = await lockAssignments(tx, orgId, [taskId]);
    if (assignment === undefined) throw notFound('Task');
    if (!(await isFulfilledByPeople(tx, orgId, assignment.app_id)))
      throw conflict('People no longer carry out the tasks of this app. Its connector does.');
    requireAssignee(assignment, task.user_id, userId);
    if (report.status === 'completed' && report.accountId !== null && task.action === 'create_account')
      await requireFreeAccount(tx, orgId, task, report.accountId);
    await setReported(tx, orgId, taskId, { by: userId, note });
  });
}

/** A mistyped id must not take over the account of another person: the two would be merged (D24). */
async function requireFreeAccount(tx: Tx, orgId: string, task: Task, externalId: string): Promise<void> {
  if (await isAccountOfAnother(tx, orgId, task.account_id, externalId))
    throw conflict(`The account ${externalId} belongs to somebody else. Check the ID of the new account.`);
}

export const completeAsPerson = (
  db: Db,
  principal: Principal,
  taskId: string,
  { accountId, note }: { accountId: string | null; note: string | null },
  cause: RequestCause,
): Promise<void> => reportAsPerson(db, principal, taskId, { status: 'completed', accountId }, note, cause);

export const refuseAsPerson = (
  db: Db,
  principal: Principal,
  taskId: string,
  error: { code: (typeof REFUSAL_CODES)[number]; message: string },
  cause: RequestCause,
): Promise<void> => reportAsPerson(db, principal, taskId, { status: 'failed', error }, null, cause);
