import { type RawBuilder, sql } from 'kysely';
import { isActiveOrganization } from '../../identity/organization-facts.ts';
import { entitlementsByName } from '../../inventory/facts.ts';
import { acrossOrganizations } from '../../platform/database/cluster.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import type { TaskStatus } from '../task.ts';

export interface AccountType {
  id: string;
  app_id: string;
  slug: string;
}

/** The account types of apps, in the order of their registration. */
export async function accountTypes(db: Db, orgId: string, appIds: string[]): Promise<AccountType[]> {
  const { rows } = await sql<AccountType>`
    select r.id, p.id as app_id, r.slug from app p
    join resource_type r on r.org_id = p.org_id and r.clone_group_id = p.clone_group_id and r.type = 'account'
    where p.org_id = ${orgId} and p.id = any(${appIds}::uuid[])
    order by r.created_at, r.id`.execute(db);
  return rows;
}

export interface TaskPlace {
  id: string;
  app_id: string;
  account_id: string;
}

/** The open tasks of a decision. In order of creation. */
export async function openTasksOfSource(
  db: Db,
  orgId: string,
  type: string,
  id: string,
): Promise<TaskPlace[]> {
  const { rows } = await sql<TaskPlace>`
    select id, app_id, account_id from task
    where org_id = ${orgId} and source_type = ${type} and source_id = ${id} and status in ('scheduled', 'pending')
    order by number`.execute(db);
  return rows;
}

export interface DueAccount {
  org_id: string;
  app_id: string;
  account_id: string;
}

/** The accounts of tasks that have become due, longest due first. An account may occur twice. */
export async function dueAccounts(
  db: Db,
  within: { orgId: string; apps: string[] | null } | null,
  limit: number,
): Promise<DueAccount[]> {
  const scope =
    within === null
      ? sql``
      : sql`and org_id = ${within.orgId} and (${within.apps}::uuid[] is null or app_id = any(${within.apps}::uuid[]))`;
  const due = sql<DueAccount>`
    select org_id, app_id, account_id from task
    where status = 'scheduled' and waits_for is null and execute_after <= clock_now() ${scope}
      and ${sql.raw(isActiveOrganization('task.org_id'))}
    order by execute_after limit ${limit}`;
  const { rows } =
    within === null ? await acrossOrganizations(db, (tx) => due.execute(tx)) : await due.execute(db);
  return rows;
}

export async function accountsWithOpenTasks(db: Db, orgId: string, appId: string): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from task
    where org_id = ${orgId} and app_id = ${appId} and status in ('scheduled', 'pending')`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

export async function accountsWithCompletedTasks(
  tx: Tx,
  orgId: string,
  appId: string,
  since: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from task
    where org_id = ${orgId} and app_id = ${appId} and status = 'completed' and ended_at >= ${since}`.execute(
    tx,
  );
  return rows.map(({ account_id }) => account_id);
}

export async function hasOpenTask(db: Db, orgId: string, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from task
    where org_id = ${orgId} and account_id = ${accountId} and status in ('scheduled', 'pending') limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

export async function appOfTask(db: Db, orgId: string, taskId: string): Promise<string | undefined> {
  const { rows } = await sql<{ app_id: string }>`
    select app_id from task where org_id = ${orgId} and id = ${taskId}`.execute(db);
  return rows[0]?.app_id;
}

/** Returns the app and the status of a task. */
export async function placeOfTask(
  db: Db,
  orgId: string,
  taskId: string,
): Promise<{ app_id: string; status: TaskStatus } | undefined> {
  const { rows } = await sql<{ app_id: string; status: TaskStatus }>`
    select app_id, status from task where org_id = ${orgId} and id = ${taskId}`.execute(db);
  return rows[0];
}

/** Returns the person who answers for tasks that nobody decided: the first active owner. */
export async function firstOwner(db: Db, orgId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from platform_user where org_id = ${orgId} and role = 'owner'
    order by status = 'deactivated', id limit 1`.execute(db);
  if (rows[0] === undefined) throw new Error(`Organization ${orgId} has no owner.`);
  return rows[0].id;
}

/** Returns those of these people who still exist. */
export async function existingPeople(db: Db, orgId: string, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from platform_user where org_id = ${orgId} and id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export async function wasRetried(tx: Tx, orgId: string, taskId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from task r join task t on t.org_id = r.org_id and t.id = ${taskId} and t.account_id = r.account_id
      where r.org_id = ${orgId} and r.retry_of = t.id) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

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
  db: Db,
  orgId: string,
  appId: string,
  refs: readonly { slug: string; id: string }[],
): Promise<FoundEntitlement[]> {
  const named = sql`(
    select ${appId}::uuid as app_id, slug, id
    from unnest(${refs.map((ref) => ref.slug)}::text[], ${refs.map((ref) => ref.id)}::text[]) as g (slug, id))`;
  const { rows } = await sql<FoundEntitlement>`
    select slug, id, entitlement_id, type, active from ${entitlementsByName(orgId, named)} as found`.execute(
    db,
  );
  return rows;
}
