import { accounts } from '#inventory/records/accounts/facts.ts';
import { type OrgTx, raise } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import { run, values } from '#kit/sql.ts';
import { isOfConnector, type WaitsFor } from '../task.ts';
import { personIsAsDecided } from './preconditions/index.ts';

export interface Ending {
  id: string;
  /** `completed`: a sync shows what the task wanted, so that nobody has to report it (vanished.ts). */
  status: 'cancelled' | 'preempted' | 'completed';
  reason: Sentence | null;
  preempted_by: string | null;
  /** Whether to create it again if what it takes away returns. */
  awaits_return: boolean;
}

/** How many seconds a task waits for what is away. A record that was away for longer has not returned, but is new. */
export const WAIT_SECONDS = 30 * 86_400;

/** The connector may sign in with another account at any time. */
const NO_END = 100 * 365 * 86_400;

const waitOf = ({ awaits_return, reason }: Ending) => {
  if (!awaits_return) return null;
  return isOfConnector(reason) ? NO_END : WAIT_SECONDS;
};

/** Ends tasks that nobody has reported. */
export async function endTasks(tx: OrgTx, endings: readonly Ending[]): Promise<void> {
  if (endings.length === 0) return;
  await run(tx)`
    update task t set status = e.status, ended_reason = e.reason, preempted_by = e.preempted_by, waits_for = null,
      awaits_return_until = seconds_after(clock_now(), e.wait), ended_at = clock_now()
    from unnest(${endings.map((end) => end.id)}::uuid[], ${endings.map((end) => end.status)}::text[],
      ${endings.map((end) => end.reason && JSON.stringify(end.reason))}::text[]::jsonb[], ${endings.map((end) => end.preempted_by)}::uuid[],
      ${endings.map(waitOf)}::double precision[])
      as e (id, status, reason, preempted_by, wait)
    where t.org_id = ${tx.orgId} and t.id = e.id`;
}

/** Notes for those of these tasks that failed why they must not be retried. Returns them. */
export const stopRetries = (tx: OrgTx, ids: readonly string[], reason: Sentence) => values<string>(tx)`
    update task set ended_reason = ${JSON.stringify(reason)}::jsonb
    where org_id = ${tx.orgId} and id = any(${ids}::uuid[]) and status = 'failed'
    returning id`;

export interface Block {
  id: string;
  waits_for: WaitsFor;
}

/** Stores why due tasks stay scheduled, and since when if they did not wait before. */
export async function blockTasks(tx: OrgTx, blocks: readonly Block[]): Promise<void> {
  if (blocks.length === 0) return;
  await run(tx)`
    update task t set waits_for = b.waits_for, blocked_at = least(t.blocked_at, clock_now())
    from unnest(${blocks.map((block) => block.id)}::uuid[], ${blocks.map((block) => block.waits_for)}::text[])
      as b (id, waits_for)
    where t.org_id = ${tx.orgId} and t.id = b.id`;
}

export async function makePending(tx: OrgTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await run(tx)`
    update task set status = 'pending', waits_for = null
    where org_id = ${tx.orgId} and id = any(${ids}::uuid[])`;
  raise(tx, 'tasks');
}

/** Releases tasks that wait for an external id that is now known, or that will never be known. */
export async function releaseWaiting(tx: OrgTx, accountIds: readonly string[]): Promise<void> {
  await run(tx)`
    update task t set waits_for = null
    from ${accounts} a
    where t.org_id = ${tx.orgId} and t.account_id = any(${accountIds}::uuid[])
      and t.status = 'scheduled' and t.waits_for = 'external_id'
      and a.org_id = t.org_id and a.id = t.account_id
      and (a.external_id is not null or a.removed_at is not null)`;
  raise(tx, 'tasks');
}

/**
 * Marks pending tasks as dispatched. Returns those that were not: of concurrent callers, one gets each task, and nobody one whose reason has
 * just ended (D74).
 */
export const markDispatched = (tx: OrgTx, ids: readonly string[]) => values<string>(tx)`
    with waiting as (
      select t.id from task t
      where t.org_id = ${tx.orgId} and t.id = any(${ids}::uuid[]) and t.status = 'pending' and t.dispatched_at is null
        and ${personIsAsDecided(tx)}
      order by t.number for no key update)
    update task t set dispatched_at = clock_now() from waiting
    where t.org_id = ${tx.orgId} and t.id = waiting.id
    returning t.id`;
