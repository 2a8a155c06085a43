import type { Held } from '#inventory/apps/held.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import { run, value } from '#kit/sql.ts';
import type { ClientId } from '../client.ts';
import type { MembershipCounts, RecordCounts, StatusCounts, TypeProgress } from '../session.ts';

/** Returns undefined if the app has an open session that another start has inserted in the meantime. */
export const insertSession = (
  tx: OrgTx,
  appId: string,
  client: ClientId | null,
  runId: string | null,
) => value<string | undefined>(tx)`
    insert into sync_session (org_id, app_id, client_type, client_id, connector_run_id)
    values (${tx.orgId}, ${appId}, ${client?.type ?? null}, ${client?.id ?? null}, ${runId})
    on conflict (org_id, app_id) where status = 'in_progress' do nothing
    returning id`;

/** Cancels the open session of an app and returns its id, if it has one. */
export const cancelOpenSession = (tx: OrgTx, appId: string) => value<string | undefined>(tx)`
    update sync_session set status = 'abandoned', finished_at = clock_now()
    where org_id = ${tx.orgId} and app_id = ${appId} and status = 'in_progress' returning id`;

export const setProgress = (tx: OrgTx, sessionId: string, progress: TypeProgress[]) => run(tx)`
    update sync_session set progress = ${JSON.stringify(progress)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`;

export const setSupersededBy = (tx: OrgTx, sessionId: string, by: string) =>
  run(tx)`update sync_session set superseded_by = ${by} where org_id = ${tx.orgId} and id = ${sessionId}`;

export const setCompleting = (tx: OrgTx, sessionId: string) => run(tx)`
    update sync_session set status = 'completing', completing_at = clock_now()
    where org_id = ${tx.orgId} and id = ${sessionId}`;

export const setPublished = (
  tx: OrgTx,
  sessionId: string,
  result: {
    progress: TypeProgress[];
    counts: RecordCounts;
    memberships: MembershipCounts;
    statuses: StatusCounts;
    held: Held | null;
  },
) => run(tx)`
    update sync_session set published_at = clock_now(), progress = ${JSON.stringify(result.progress)}::jsonb,
      counts = ${JSON.stringify(result.counts)}::jsonb, membership_counts = ${JSON.stringify(result.memberships)}::jsonb,
      status_counts = ${JSON.stringify(result.statuses)}::jsonb,
      held = ${result.held === null ? null : JSON.stringify(result.held)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`;

/** Releases held removals: cleanup will carry out the plan. */
export const releaseHeld = (tx: OrgTx, sessionId: string, approvedBy: string | null) => run(tx)`
    update sync_session set held = null, approved_by = ${approvedBy}
    where org_id = ${tx.orgId} and id = ${sessionId}`;

export const setCounts = (
  tx: OrgTx,
  sessionId: string,
  counts: RecordCounts,
  memberships: MembershipCounts,
  statuses: StatusCounts,
) => run(tx)`
    update sync_session set counts = ${JSON.stringify(counts)}::jsonb, membership_counts = ${JSON.stringify(memberships)}::jsonb,
      status_counts = ${JSON.stringify(statuses)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`;

export const setFinished = (tx: OrgTx, sessionId: string, status: 'completed' | 'abandoned') => run(tx)`
    update sync_session set status = ${status}, finished_at = clock_now(), held = null
    where org_id = ${tx.orgId} and id = ${sessionId}`;

/** Records that the changes of a session were reverted, by whom, and why. */
export const setReverted = (
  tx: OrgTx,
  sessionId: string,
  { by, reason }: { by: string | null; reason: string | null },
) => run(tx)`
    update sync_session set reverted_at = clock_now(), reverted_by = ${by}, reverted_reason = ${reason}
    where org_id = ${tx.orgId} and id = ${sessionId}`;

/** Ends the session in error and deletes its removal plan. */
export async function setFailed(
  tx: OrgTx,
  sessionId: string,
  { text: message, code, values }: Sentence,
  rejectedBy?: string,
): Promise<void> {
  const error = JSON.stringify({
    error_code: 'CLEANUP_FAILED',
    message,
    code,
    values,
    rejected_by: rejectedBy,
  });
  await run(tx)`
    update sync_session set status = 'error', finished_at = clock_now(), held = null, error = ${error}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`;
  await run(tx)`delete from sync_removal where org_id = ${tx.orgId} and session_id = ${sessionId}`;
}
