import { accounts, memberships } from '#inventory/records/accounts/facts.ts';
import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import type { OrgTx } from '#kit/database.ts';
import { many, one, sql, values } from '#kit/sql.ts';
import { grants } from '#reasons/grants/facts.ts';
import type { Access } from '#reasons/grants/grant.ts';
import { decidedAt, decisionOfTask, isBeingTaken, isEnd } from '../facts.ts';
import type { Action } from '../task.ts';
import { takesAway } from './budget.ts';

/** A task that ends access at a time to come. */
export interface PlannedEnd {
  id: string;
  account_id: string;
  action: Action;
  execute_after: Date;
  source_id: string | null;
  removed: string[];
}

/** Returns the tasks that end access of these accounts, and whose time has not come. */
export const plannedEnds = (tx: OrgTx, accountIds: readonly string[]) => many<PlannedEnd>(tx)`
    select t.id, t.account_id, t.action, t.execute_after, t.source_id, array(
      select c.entitlement_id::text from task_change c
      where c.org_id = ${tx.orgId} and c.task_id = t.id and not c.added order by 1) as removed
    from task t
    where t.org_id = ${tx.orgId} and t.account_id = any(${accountIds}::uuid[]) and t.status = 'scheduled'
      and t.execute_after > clock_now() and t.retry_of is null and ${isEnd('t')}
    order by t.number`;

/**
 * Returns what these accounts hold directly, syncs found and no task is about to take away, and those of them that were found themselves.
 */
export const foundAccess = (tx: OrgTx, accountIds: readonly string[]) => many<Access>(tx)`
    select m.account_id, m.entitlement_id from ${memberships} m
    where m.org_id = ${tx.orgId} and m.account_id = any(${accountIds}::uuid[]) and not m.given and m.via_id is null
      and not ${isBeingTaken(tx, sql`m.account_id`, sql`m.entitlement_id`)}
    union all
    select a.id, null from ${accounts} a
    where a.org_id = ${tx.orgId} and a.id = any(${accountIds}::uuid[]) and not a.given`;

/** Returns the accounts with planned ends of which a sync session ended grants. */
export const accountsEndedBy = (tx: OrgTx, appId: string, sessionId: string) => values<string>(tx)`
    select distinct t.account_id from task t
    where t.org_id = ${tx.orgId} and t.app_id = ${appId} and t.status = 'scheduled' and ${isEnd('t')} and exists (
      select from ${grants} g
      where g.org_id = ${tx.orgId} and g.account_id = t.account_id and g.ended_kind = 'sync' and g.ended_source = ${sessionId})`;

/** The decision of task `t`, as grants name it. */
const { kind, id } = decisionOfTask('t');
export const decision = sql`${kind} as kind, ${id} as source_id, t.source_label as label, t.created_by as decided_by, t.execute_after as starts_at,
  t.preconditions @> '[{"kind": "not_last_member"}]' as is_silent`;

/** An access that a task gives or takes away, with its decision. */
export interface AccessOfTask extends Access {
  task_id: string;
  app_id: string;
  kind: GrantKind | 'review';
  source_id: string | null;
  label: string;
  decided_by: string | null;
  /** When the task is due. */
  starts_at: Date;
  /** Whether nobody decided, such as the silence of reviewers. */
  is_silent: boolean;
}

/** Returns what these tasks give: groups, licenses, and the account if they create it. */
export const givenBy = (tx: OrgTx, taskIds: readonly string[]) => many<AccessOfTask>(tx)`
    select t.id as task_id, t.app_id, t.account_id, g.entitlement_id, ${decision}
    from task t
    cross join lateral (
      select c.entitlement_id from task_change c where c.org_id = ${tx.orgId} and c.task_id = t.id and c.added
      union all
      select null where t.action = 'create_account') g
    where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[])`;

/** Returns the groups and licenses that these tasks take away, without those that end access whose time is over. */
export const takenBy = (tx: OrgTx, taskIds: readonly string[]) => many<AccessOfTask>(tx)`
    select t.id as task_id, t.app_id, t.account_id, c.entitlement_id, ${decision}
    from task t
    join task_change c on c.org_id = ${tx.orgId} and c.task_id = t.id and not c.added and not c.spared
    where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[]) and not ${isEnd('t')}`;

/** Returns what these canceled tasks were to take away, and no other task does, without the ends. `since`: when it was decided. */
export const notTakenBy = (tx: OrgTx, taskIds: readonly string[]) => many<AccessOfTask & { since: Date }>(tx)`
    select t.id as task_id, t.app_id, t.account_id, c.entitlement_id, ${decision}, ${decidedAt(tx, 't')} as since
    from task t
    join task_change c on c.org_id = ${tx.orgId} and c.task_id = t.id and not c.added
    where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[]) and not ${isEnd('t')}
      and not ${isBeingTaken(tx, sql`t.account_id`, sql`c.entitlement_id`)}`;

/** Returns those of these tasks that end access whose time is over. */
export const endsAmong = (tx: OrgTx, taskIds: readonly string[]) => values<string>(tx)`
    select t.id from task t where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[]) and ${isEnd('t')}`;

/** Returns the accounts of those of these tasks that take something away. */
export const accountsTakenFrom = (tx: OrgTx, taskIds: readonly string[]) => values<string>(tx)`
    select t.account_id from task t
    where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[]) and ${takesAway(tx, 't')}`;

/** Returns what these tasks would take away, of ends as well. The entitlement is null for an account that one deletes. */
export const removalsOf = (tx: OrgTx, taskIds: readonly string[]) => many<
  Access & { task_id: string; app_id: string }
>(tx)`
    select t.id as task_id, t.app_id, t.account_id, r.entitlement_id
    from task t
    cross join lateral (
      select c.entitlement_id from task_change c where c.org_id = ${tx.orgId} and c.task_id = t.id and not c.added and not c.spared
      union all
      select null where t.action = 'delete_account') r
    where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[])`;

type DecisionOfTask = Pick<AccessOfTask, 'kind' | 'source_id' | 'label' | 'is_silent'>;

/** Returns the decision of a task. */
export const decisionOf = async (tx: OrgTx, taskId: string) =>
  (await one<DecisionOfTask>(tx)`
    select ${decision} from task t where t.org_id = ${tx.orgId} and t.id = ${taskId}`) as DecisionOfTask;

/** Returns those of these accounts whose last creation was canceled, with its decision and why it was canceled. */
export const canceledCreations = (tx: OrgTx, accountIds: readonly string[]) => many<
  DecisionOfTask & { account_id: string; text: string }
>(tx)`
    select t.account_id, coalesce(t.ended_reason ->> 'text', '') as text, ${decision}
    from (
      select distinct on (c.account_id) c.id, c.status from task c
      where c.org_id = ${tx.orgId} and c.account_id = any(${accountIds}::uuid[]) and c.action = 'create_account'
      order by c.account_id, c.number desc) last
    join task t on t.org_id = ${tx.orgId} and t.id = last.id
    where last.status = 'cancelled'`;
