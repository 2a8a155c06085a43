import { type RawBuilder, sql } from 'kysely';
import { accounts, expectedAccounts } from '../../../inventory/records/facts.ts';
import { acrossOrganizations } from '../../../kit/database/cluster.ts';
import type { Db } from '../../../kit/database/open.ts';
import type { OrgDb, OrgTx } from '../../../kit/database/organization.ts';
import { isActiveOrganization } from '../../../kit/identity/organization-facts.ts';
import type { Place } from '../../../kit/loops/follow.ts';
import { type Moment, momentToIso } from '../../../log/events/follow.ts';
import { tasks, waitsForLeaving } from '../../../work/provisioning/facts.ts';

/** Returns the organizations with unread events, daily policies that have not run today, or unfinished releases. */
export async function organizationsWithWork(db: Db): Promise<{ org_id: string }[]> {
  const work = sql<{ org_id: string }>`
    select w.org_id from (
      select c.org_id from policy_cursor c join event_head h on h.org_id = c.org_id and h.last_ingested_at > c.read_to
      union select org_id from policy
        where enabled and trigger = 'daily' and ran_on < (clock_now() at time zone 'UTC')::date
      union select org_id from policy_firing where confirmed_at is not null
    ) w where ${sql.raw(isActiveOrganization('w.org_id'))}`;
  return (await acrossOrganizations(db, (tx) => work.execute(tx))).rows;
}

const select = async (db: OrgDb, lock: RawBuilder<unknown>): Promise<Moment | undefined> => {
  const { rows } = await sql<{ read_to: Moment }>`
    select (extract(epoch from read_to) * 1000000)::bigint as read_to from policy_cursor
    where org_id = ${db.orgId} ${lock}`.execute(db);
  return rows[0]?.read_to;
};

/** How far an organization's policies have read its log. Its lock is that of the policies (lockPolicies). */
export const place: Place = {
  read: (db) => select(db, sql``),
  tryLock: (tx) => select(tx, sql`for update skip locked`),
  move: async (tx, to) => {
    await sql`
      update policy_cursor set read_to = ${momentToIso(to)}::timestamptz where org_id = ${tx.orgId}`.execute(
      tx,
    );
  },
};

/** Returns the daily policies that have not run today (UTC). A policy that missed several days runs once. */
export async function dueToday(db: OrgDb): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from policy
    where org_id = ${db.orgId} and enabled and trigger = 'daily'
      and ran_on < (clock_now() at time zone 'UTC')::date`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export async function markRunToday(tx: OrgTx, policyId: string): Promise<void> {
  await sql`
    update policy set ran_on = (clock_now() at time zone 'UTC')::date
    where org_id = ${tx.orgId} and id = ${policyId}`.execute(tx);
}

export async function markFired(tx: OrgTx, policyId: string, count: number): Promise<void> {
  await sql`
    update policy set last_fired_at = clock_now(), last_fired_count = ${count}
    where org_id = ${tx.orgId} and id = ${policyId}`.execute(tx);
}

/** Returns the database's time, the same for all nodes. */
export async function now(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_now() as now`.execute(db);
  return rows[0]?.now as Date;
}

/**
 * Holds a firing until a person confirms it. Adds to the policy's held firing if it has one. The caller has locked the
 * organization's policies.
 */
export async function holdFiring(
  tx: OrgTx,
  policyId: string,
  subjects: readonly string[] | null,
  count: number,
): Promise<void> {
  const { rows } = await sql`
    update policy_firing set held_at = clock_now(), count = ${count} + ${subjects === null ? sql`0` : sql`count`},
      subjects = (select array_agg(distinct id) from unnest(subjects || ${subjects}::uuid[]) as of_both (id))
    where org_id = ${tx.orgId} and policy_id = ${policyId} and confirmed_at is null
    returning id`.execute(tx);
  if (rows.length > 0) return;
  await sql`
    insert into policy_firing (org_id, policy_id, subjects, count)
    values (${tx.orgId}, ${policyId}, ${subjects}::uuid[], ${count})`.execute(tx);
}

export async function confirmFiring(tx: OrgTx, policyId: string, userId: string): Promise<void> {
  await sql`
    update policy_firing set confirmed_at = clock_now(), confirmed_by = ${userId}
    where org_id = ${tx.orgId} and policy_id = ${policyId} and confirmed_at is null`.execute(tx);
}

export async function deleteHeldFiring(tx: OrgTx, policyId: string): Promise<void> {
  await sql`
    delete from policy_firing
    where org_id = ${tx.orgId} and policy_id = ${policyId} and confirmed_at is null`.execute(tx);
}

/** Deletes the held and the releasing firings of a policy. */
export async function deleteFirings(tx: OrgTx, policyId: string): Promise<void> {
  await sql`delete from policy_firing where org_id = ${tx.orgId} and policy_id = ${policyId}`.execute(tx);
}

export interface Release {
  id: string;
  policy_id: string;
  /** Its next subjects, by id. Null: everyone. */
  subjects: string[] | null;
  confirmed_by: string;
  stage: number;
  after_id: string | null;
}

/** Returns the release that was confirmed first, with its next `limit` subjects. */
export async function nextRelease(tx: OrgTx, limit: number): Promise<Release | undefined> {
  const { rows } = await sql<Release>`
    select id, policy_id, confirmed_by, stage, after_id, case when subjects is not null then array(
      select s from unnest(subjects) s where after_id is null or s > after_id order by s limit ${limit})
    end as subjects
    from policy_firing
    where org_id = ${tx.orgId} and confirmed_at is not null order by confirmed_at, id limit 1`.execute(tx);
  return rows[0];
}

export async function advanceRelease(
  tx: OrgTx,
  id: string,
  { stage, after }: { stage: number; after: string | null },
  created: number,
): Promise<void> {
  await sql`
    update policy_firing set stage = ${stage}, after_id = ${after}, created = created + ${created}
    where org_id = ${tx.orgId} and id = ${id}`.execute(tx);
}

export async function deleteRelease(tx: OrgTx, id: string): Promise<void> {
  await sql`delete from policy_firing where org_id = ${tx.orgId} and id = ${id}`.execute(tx);
}

/** Returns the tasks that policies scheduled because these people left. */
export async function scheduledForLeaving(
  db: OrgDb,
  userIds: readonly string[],
): Promise<{ id: string; policy_id: string }[]> {
  const { rows } = await sql<{ id: string; policy_id: string }>`
    select t.id, t.source_id as policy_id
    from ${accounts} a join ${tasks} t on t.org_id = a.org_id and t.account_id = a.id
    where a.org_id = ${db.orgId} and a.user_id = any(${userIds}::uuid[])
      and t.status = 'scheduled' and t.source_type = 'policy' and ${waitsForLeaving('t', sql`a.user_id`)}
    order by t.source_id, t.number`.execute(db);
  return rows;
}

/** Returns those of these accounts that may be an account that a task created (D24). */
export async function expectedAmong(db: OrgDb, accountIds: readonly string[]): Promise<string[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<{ account_id: string }>`
    select e.account_id from ${expectedAccounts} e
    where e.org_id = ${db.orgId} and e.account_id = any(${accountIds}::uuid[])`.execute(db);
  return rows.map(({ account_id }) => account_id);
}
