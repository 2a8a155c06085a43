import type { AccountHolder } from '#inventory/records/accounts/account.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import { many, one } from '#kit/sql.ts';
import type { Action, TaskStatus, TaskType, WaitsFor } from '../task.ts';
import { takesAway } from './budget.ts';

/*
 * Locks, held until `tx` ends. Every transaction takes them in this order, and rows of one kind by id: apps, people,
 * accounts, tasks.
 */

/** Locks people, so that only one transaction at a time decides about their accounts. Returns those that exist. */
export async function lockPeople(tx: OrgTx, userIds: string[]): Promise<AccountHolder[]> {
  if (userIds.length === 0) return [];
  return many<AccountHolder>(tx)`
    select id, email, username, first_name, last_name from platform_user
    where org_id = ${tx.orgId} and id = any(${userIds}::uuid[]) order by id for no key update`;
}

export interface OpenTask {
  id: string;
  account_id: string;
  action: Action;
  status: 'scheduled' | 'pending';
  due: boolean;
  waits_for: WaitsFor | null;
  /** Whether its task.dispatch_blocked event has been recorded. */
  announced: boolean;
  dispatched: boolean;
  conditional: boolean;
  /** Whether it takes something away, now or when it returns. */
  takes_away: boolean;
  task_type: TaskType;
  /** Whether it left out a removal whose group was gone. */
  awaits_return: boolean;
  /** Whether a policy made it and nobody has confirmed it. */
  by_policy: boolean;
}

/** Locks the open tasks of accounts that the caller has locked. In order of creation. */
export const lockOpenTasks = (tx: OrgTx, accountIds: string[]) => many<OpenTask>(tx)`
    select id, account_id, action, status, execute_after <= clock_now() as due, waits_for,
      blocked_at is not null as announced, dispatched_at is not null as dispatched, preconditions <> '[]' as conditional,
      ${takesAway(tx, 'task')} or awaits_return_until is not null as takes_away,
      awaits_return_until is not null as awaits_return, task_type,
      coalesce(source_type = 'policy', false) and released_at is null as by_policy
    from task
    where org_id = ${tx.orgId} and account_id = any(${accountIds}::uuid[]) and status in ('scheduled', 'pending')
    order by number for no key update`;

export interface LockedTask {
  app_id: string;
  account_id: string;
  /** Whether its app is archived. */
  archived: boolean;
  action: Action;
  status: TaskStatus;
  /** Why it was canceled, or why it must not be retried. */
  ended_reason: Sentence | null;
}

/** Locks a task with its app and account, in one round trip. */
export const lockTask = (tx: OrgTx, taskId: string) => one<LockedTask>(tx)`
    select t.app_id, t.account_id, p.archived_at is not null as archived, t.action, t.status,
      t.ended_reason
    from task t
    join app p on p.org_id = t.org_id and p.id = t.app_id
    join account a on a.org_id = t.org_id and a.id = t.account_id
    where t.org_id = ${tx.orgId} and t.id = ${taskId}
    for share of p for no key update of a for no key update of t`;
