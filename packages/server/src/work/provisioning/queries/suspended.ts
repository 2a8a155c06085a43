import { accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { many, values } from '#kit/sql.ts';
import { isInForce, suspensions } from '#reasons/suspensions/facts.ts';
import type { SuspensionKind } from '#reasons/suspensions/suspension.ts';
import type { Action, TaskStatus } from '../task.ts';
import { type AccessOfTask, decision } from './ends.ts';

/** A task that suspends or unsuspends an account, with its decision. */
export interface SuspendingTask extends Pick<AccessOfTask, 'kind' | 'source_id' | 'label' | 'decided_by'> {
  id: string;
  app_id: string;
  account_id: string;
  action: Action;
  status: TaskStatus;
  reason: string | null;
  leaving: boolean;
  created_at: Date;
  account_status: string;
  /** Whether an open task before it suspends the account. */
  follows_suspension: boolean;
}

/** Returns those of these tasks that suspend or unsuspend an account. */
export const suspendingTasks = (db: OrgDb, taskIds: readonly string[]) => many<SuspendingTask>(db)`
    select t.id, t.app_id, t.account_id, t.action, t.status, t.reason ->> 'text' as reason, t.leaving, t.created_at, a.status as account_status,
      exists (
        select from task o
        where o.org_id = ${db.orgId} and o.account_id = t.account_id and o.action = 'suspend_account'
          and o.status in ('scheduled', 'pending') and o.number < t.number) as follows_suspension, ${decision}
    from task t
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = t.account_id
    where t.org_id = ${db.orgId} and t.id = any(${taskIds}::uuid[]) and t.action in ('suspend_account', 'unsuspend_account')
    order by t.number`;

/**
 * Returns the open tasks whose turn has come, and that unsuspend accounts of an app for which a sync session has begun a suspension: their
 * decision is the later one.
 */
export const unsuspensionsOfFound = (db: OrgDb, appId: string, sessionId: string) => values<string>(db)`
    select t.id from task t
    join ${suspensions} s on s.org_id = ${db.orgId} and s.account_id = t.account_id and s.kind = 'app' and s.source_id = ${sessionId}
      and ${isInForce('s')}
    where t.org_id = ${db.orgId} and t.app_id = ${appId} and t.action = 'unsuspend_account'
      and (t.status = 'pending' or t.status = 'scheduled' and t.waits_for in ('account', 'external_id'))
    order by t.number`;

/** A suspension that a return does not end. */
export interface StillSuspended {
  id: string;
  account_id: string;
  email: string;
  app_id: string;
  app_name: string;
  kind: SuspensionKind;
  source_id: string | null;
  label: string;
  reason: string | null;
  is_suspended: boolean;
}

/**
 * Returns the suspensions of a person's accounts that stay when the person is active again: those in force, without those whose task no
 * connector has fetched, and that is canceled then. `onlyLeaving`: those that were decided because the person left.
 */
export const stillSuspended = (
  db: OrgDb,
  userId: string,
  { onlyLeaving = false } = {},
) => many<StillSuspended>(db)`
    select s.id, s.account_id, coalesce(nullif(a.email, ''), a.username) as email, s.app_id, p.name as app_name, s.kind, s.source_id, s.label, s.reason,
      a.status = 'SUSPENDED' as is_suspended
    from ${accounts} a
    join ${suspensions} s on s.org_id = ${db.orgId} and s.account_id = a.id and ${isInForce('s')}
    join app p on p.org_id = ${db.orgId} and p.id = s.app_id
    where a.org_id = ${db.orgId} and a.user_id = ${userId} and a.removed_at is null and (s.leaving or not ${onlyLeaving}::boolean) and not exists (
      select from task t
      where t.org_id = ${db.orgId} and t.account_id = a.id and t.action = 'suspend_account' and t.dispatched_at is null
        and t.status in ('scheduled', 'pending') and s.leaving and coalesce(t.source_id, t.id) = s.source_id
        and t.preconditions @> jsonb_build_array(jsonb_build_object('kind', 'user_inactive', 'user_id', ${userId}::uuid)))
    order by p.name, a.email, s.since, s.id`;
