import { entitlementsByName } from '#inventory/records/accounts/facts.ts';
import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { many, one, type RawBuilder, sql, value, values } from '#kit/sql.ts';
import { latestAttempt } from '../facts.ts';
import type { TaskStatus } from '../task.ts';
import { isDue, waitsForTime } from './due.ts';

export interface AccountType {
  id: string;
  app_id: string;
  slug: string;
}

/** The account types of apps, in the order of their registration. */
export const accountTypes = (db: OrgDb, appIds: string[]) => many<AccountType>(db)`
    select r.id, p.id as app_id, r.slug from app p
    join resource_type r on r.org_id = p.org_id and r.clone_group_id = p.clone_group_id and r.type = 'account'
    where p.org_id = ${db.orgId} and p.id = any(${appIds}::uuid[])
    order by r.created_at, r.id`;

export interface TaskPlace {
  id: string;
  app_id: string;
  account_id: string;
}

/** The open tasks of a decision, and those that wait for what was away. In order of creation. */
export const openTasksOfSource = (db: OrgDb, type: string, id: string) => many<TaskPlace>(db)`
    select id, app_id, account_id from task
    where org_id = ${db.orgId} and source_type = ${type} and source_id = ${id}
      and (status in ('scheduled', 'pending') or awaits_return_until is not null)
    order by number`;

/** Returns the last attempt at each of these tasks: the task itself (`made`), or the latest retry of it. */
export const lastAttempts = (db: OrgDb, taskIds: readonly string[]) => many<{
  made: string;
  id: string;
  account_id: string;
}>(db)`
    select given.id as made, last.id, last.account_id
    from task given cross join lateral ${latestAttempt(db, sql`given.id`)} last
    where given.org_id = ${db.orgId} and given.id = any(${taskIds}::uuid[])
    order by last.number`;

export const organizationsWithDueTasks = (db: Db) => many<{ org_id: string }>(everywhere(db))`
    select d.org_id from (select distinct org_id from task where ${isDue('task')}) d
    where ${isActiveOrganization('d.org_id')}`;

/** Returns the seconds until the next task is due. */
export const untilDueTask = (db: Db) => secondsUntilFirst(db)`
    select d.at from (
      select org_id, min(execute_after) as at from task where ${waitsForTime('task')} group by org_id) d
    where ${isActiveOrganization('d.org_id')}`;

/** The accounts of due tasks, longest due first. An account may occur twice. */
export const dueAccounts = (db: OrgDb, appId: string | null, limit: number) => many<{
  app_id: string;
  account_id: string;
}>(db)`
    select app_id, account_id from task
    where org_id = ${db.orgId} and ${isDue('task')} and (${appId}::uuid is null or app_id = ${appId}::uuid)
    order by execute_after limit ${limit}`;

export const accountsWithOpenTasks = (db: OrgDb, appId: string) => values<string>(db)`
    select distinct account_id from task
    where org_id = ${db.orgId} and app_id = ${appId} and status in ('scheduled', 'pending')`;

export const accountsWithCompletedTasks = (
  tx: OrgTx,
  appId: string,
  since: RawBuilder<unknown>,
) => values<string>(tx)`
    select distinct account_id from task
    where org_id = ${tx.orgId} and app_id = ${appId} and status = 'completed' and ended_at >= ${since}`;

export const appOfTask = (db: OrgDb, taskId: string) => value<string | undefined>(db)`
    select app_id from task where org_id = ${db.orgId} and id = ${taskId}`;

/** Returns the app and the status of a task. */
export const placeOfTask = (db: OrgDb, taskId: string) => one<{ app_id: string; status: TaskStatus }>(db)`
    select app_id, status from task where org_id = ${db.orgId} and id = ${taskId}`;

/** Returns the person who is responsible for tasks that nobody decided: the first active owner. */
export async function firstOwner(db: OrgDb): Promise<string> {
  const rows = await many<{ id: string }>(db)`
    select id from platform_user where org_id = ${db.orgId} and role = 'owner'
    order by status = 'deactivated', id limit 1`;
  if (rows[0] === undefined) throw new Error(`Organization ${db.orgId} has no owner.`);
  return rows[0].id;
}

/** Returns those of these people who still exist. */
export async function existingPeople(db: OrgDb, ids: string[]): Promise<Set<string>> {
  const rows = await many<{ id: string }>(db)`
    select id from platform_user where org_id = ${db.orgId} and id = any(${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/** A task that removes what a failed one left out (D31) is not a retry of it, and has its attempt. */
export const wasRetried = (tx: OrgTx, taskId: string) => value<boolean>(tx)`
    select exists (
      select from task r join task t on t.org_id = r.org_id and t.id = ${taskId} and t.account_id = r.account_id
      where r.org_id = ${tx.orgId} and r.retry_of = t.id and r.attempt > t.attempt) as found`;

export interface FoundEntitlement {
  slug: string;
  /** The external id. */
  id: string;
  entitlement_id: string;
  type: 'group' | 'license';
  active: boolean;
}

/** The groups and licenses of an app with these slugs and external ids, inactive ones included. */
export async function findEntitlements(
  db: OrgDb,
  appId: string,
  refs: readonly { slug: string; id: string }[],
): Promise<FoundEntitlement[]> {
  const named = sql`(
    select ${appId}::uuid as app_id, slug, id
    from unnest(${refs.map((ref) => ref.slug)}::text[], ${refs.map((ref) => ref.id)}::text[]) as g (slug, id))`;
  return many<FoundEntitlement>(db)`
    select slug, id, entitlement_id, type, active from ${entitlementsByName(db, named)} as found`;
}
