import { sql } from 'kysely';
import type { OrgTx } from '../../../../kit/database/organization.ts';
import type { Sentence } from '../../../../kit/sentences.ts';
import type { Held } from '../../../apps/held.ts';
import type { ClientId } from '../client.ts';
import type { MembershipCounts, RecordCounts, StatusCounts, TypeProgress } from '../session.ts';

/** Returns undefined if the app has an open session that another start has inserted in the meantime. */
export async function insertSession(
  tx: OrgTx,
  appId: string,
  client: ClientId | null,
  runId: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into sync_session (org_id, app_id, client_type, client_id, connector_run_id)
    values (${tx.orgId}, ${appId}, ${client?.type ?? null}, ${client?.id ?? null}, ${runId})
    on conflict (org_id, app_id) where status = 'in_progress' do nothing
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** Cancels the open session of an app and returns its id, if it has one. */
export async function cancelOpenSession(tx: OrgTx, appId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update sync_session set status = 'abandoned', finished_at = clock_now()
    where org_id = ${tx.orgId} and app_id = ${appId} and status = 'in_progress' returning id`.execute(tx);
  return rows[0]?.id;
}

export async function setProgress(tx: OrgTx, sessionId: string, progress: TypeProgress[]): Promise<void> {
  await sql`
    update sync_session set progress = ${JSON.stringify(progress)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`.execute(tx);
}

export async function setSupersededBy(tx: OrgTx, sessionId: string, by: string): Promise<void> {
  await sql`update sync_session set superseded_by = ${by} where org_id = ${tx.orgId} and id = ${sessionId}`.execute(
    tx,
  );
}

export async function setCompleting(tx: OrgTx, sessionId: string): Promise<void> {
  await sql`
    update sync_session set status = 'completing', completing_at = clock_now()
    where org_id = ${tx.orgId} and id = ${sessionId}`.execute(tx);
}

export async function setPublished(
  tx: OrgTx,
  sessionId: string,
  result: {
    progress: TypeProgress[];
    counts: RecordCounts;
    memberships: MembershipCounts;
    statuses: StatusCounts;
    held: Held | null;
  },
): Promise<void> {
  await sql`
    update sync_session set published_at = clock_now(), progress = ${JSON.stringify(result.progress)}::jsonb,
      counts = ${JSON.stringify(result.counts)}::jsonb, membership_counts = ${JSON.stringify(result.memberships)}::jsonb,
      status_counts = ${JSON.stringify(result.statuses)}::jsonb,
      held = ${result.held === null ? null : JSON.stringify(result.held)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`.execute(tx);
}

/** Releases held removals: cleanup will carry out the plan. */
export async function releaseHeld(tx: OrgTx, sessionId: string, approvedBy: string | null): Promise<void> {
  await sql`
    update sync_session set held = null, approved_by = ${approvedBy}
    where org_id = ${tx.orgId} and id = ${sessionId}`.execute(tx);
}

export async function setCounts(
  tx: OrgTx,
  sessionId: string,
  counts: RecordCounts,
  memberships: MembershipCounts,
  statuses: StatusCounts,
): Promise<void> {
  await sql`
    update sync_session set counts = ${JSON.stringify(counts)}::jsonb, membership_counts = ${JSON.stringify(memberships)}::jsonb,
      status_counts = ${JSON.stringify(statuses)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`.execute(tx);
}

export async function setFinished(
  tx: OrgTx,
  sessionId: string,
  status: 'completed' | 'abandoned',
): Promise<void> {
  await sql`
    update sync_session set status = ${status}, finished_at = clock_now(), held = null
    where org_id = ${tx.orgId} and id = ${sessionId}`.execute(tx);
}

/** Records that the changes of a session were reverted, by whom, and why. */
export async function setReverted(
  tx: OrgTx,
  sessionId: string,
  { by, reason }: { by: string | null; reason: string | null },
): Promise<void> {
  await sql`
    update sync_session set reverted_at = clock_now(), reverted_by = ${by}, reverted_reason = ${reason}
    where org_id = ${tx.orgId} and id = ${sessionId}`.execute(tx);
}

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
  await sql`
    update sync_session set status = 'error', finished_at = clock_now(), held = null, error = ${error}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`.execute(tx);
  await sql`delete from sync_removal where org_id = ${tx.orgId} and session_id = ${sessionId}`.execute(tx);
}
