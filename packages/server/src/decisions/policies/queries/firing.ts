import type { UndecidedCounts } from '#directory/people/undecided.ts';
import { accounts, expectedAccounts } from '#inventory/records/accounts/facts.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { Place } from '#kit/loops/follow.ts';
import { exists, many, one, type RawBuilder, run, sql, value, values } from '#kit/sql.ts';
import { type Moment, momentToIso } from '#log/events/follow.ts';
import { tasks, waitsForLeaving } from '#work/provisioning/facts.ts';
import { isDue, isHeldForGroup } from '../facts.ts';
import type { GroupChange } from '../schemas.ts';

const select = async (db: OrgDb, lock: RawBuilder<unknown>): Promise<Moment | undefined> => {
  return value<Moment | undefined>(db)`
    select (extract(epoch from read_to) * 1000000)::bigint as read_to from policy_cursor
    where org_id = ${db.orgId} ${lock}`;
};

/** How far an organization's policies have read its log. Its lock is that of the policies (lockPolicies). */
export const place: Place = {
  read: (db) => select(db, sql``),
  tryLock: (tx) => select(tx, sql`for update skip locked`),
  move: async (tx, to) => {
    await run(tx)`
      update policy_cursor set read_to = ${momentToIso(to)}::timestamptz where org_id = ${tx.orgId}`;
  },
};

/** Returns the daily policies that have not run today in the organization's time zone. One that missed several days runs once. */
export async function dueToday(db: OrgDb): Promise<Set<string>> {
  const rows = await many<{ id: string }>(db)`
    select p.id from policy p where p.org_id = ${db.orgId} and ${isDue}`;
  return new Set(rows.map(({ id }) => id));
}

export const markRunToday = (tx: OrgTx, policyId: string) => run(tx)`
    update policy set ran_at = clock_now()
    where org_id = ${tx.orgId} and id = ${policyId}`;

export const markFired = (tx: OrgTx, policyId: string, count: number) => run(tx)`
    update policy set last_fired_at = clock_now(), last_fired_count = ${count}
    where org_id = ${tx.orgId} and id = ${policyId}`;

/** Keeps whom the last run did not decide. Returns whether that differs from the run before. */
export const setUndecided = (tx: OrgTx, policyId: string, undecided: UndecidedCounts) => exists(tx)`
    update policy set undecided = ${JSON.stringify(undecided)}::jsonb
    where org_id = ${tx.orgId} and id = ${policyId}
      and coalesce(undecided, '{"count": 0, "people": [], "reasons": []}') <> ${JSON.stringify(undecided)}::jsonb
    returning id`;

/** Keeps what the last daily run of a policy left, because something else gives it. Returns whether it has changed. */
export const setKept = (tx: OrgTx, policyId: string, kept: object) => exists(tx)`
    update policy set kept = ${JSON.stringify(kept)}::jsonb
    where org_id = ${tx.orgId} and id = ${policyId} and kept is distinct from ${JSON.stringify(kept)}::jsonb
    returning id`;

/**
 * Holds a firing until a person confirms it. Adds to the policy's held firing if it has one, and otherwise returns true. The caller
 * has locked the organization's policies.
 */
export async function holdFiring(
  tx: OrgTx,
  policyId: string,
  {
    subjects,
    count,
    because,
  }: { subjects: readonly string[] | null; count: number; because: GroupChange | null },
): Promise<boolean> {
  const cause = because && JSON.stringify(because);
  const rows = await many(tx)`
    update policy_firing set held_at = clock_now(), count = ${count} + ${subjects === null ? sql`0` : sql`count`},
      because = coalesce(${cause}::jsonb, because),
      subjects = ${
        subjects === null
          ? sql`null`
          : sql`(select coalesce(array_agg(distinct id), '{}') from unnest(subjects || ${subjects}::uuid[]) as of_both (id))`
      }
    where org_id = ${tx.orgId} and policy_id = ${policyId} and confirmed_at is null
    returning id`;
  if (rows.length > 0) return false;
  await run(tx)`
    insert into policy_firing (org_id, policy_id, subjects, count, because)
    values (${tx.orgId}, ${policyId}, ${subjects}::uuid[], ${count}, ${cause}::jsonb)`;
  return true;
}

/** Returns the policies that are held because of a group, with what happened to it. */
export async function heldForGroups(db: OrgDb): Promise<Map<string, GroupChange>> {
  const rows = await many<{ policy_id: string; because: GroupChange }>(db)`
    select policy_id, because from policy_firing
    where org_id = ${db.orgId} and confirmed_at is null and because is not null`;
  return new Map(rows.map(({ policy_id, because }) => [policy_id, because]));
}

export const confirmFiring = (tx: OrgTx, policyId: string, userId: string) => run(tx)`
    update policy_firing set confirmed_at = clock_now(), confirmed_by = ${userId}
    where org_id = ${tx.orgId} and policy_id = ${policyId} and confirmed_at is null`;

/** Releases what a policy would have done because of the changes of a hold, which this person confirmed. */
export const releaseFiring = (
  tx: OrgTx,
  policyId: string,
  { subjects, tasks }: { subjects: readonly string[]; tasks: number },
  userId: string,
) => run(tx)`
    insert into policy_firing (org_id, policy_id, subjects, count, confirmed_at, confirmed_by)
    values (${tx.orgId}, ${policyId}, ${subjects}::uuid[], ${tasks}, clock_now(), ${userId})`;

export const deleteHeldFiring = (tx: OrgTx, policyId: string) => run(tx)`
    delete from policy_firing
    where org_id = ${tx.orgId} and policy_id = ${policyId} and confirmed_at is null`;

/** Deletes the held and the releasing firings of a policy. `exceptForGroup` keeps the one that is held because of a group. */
export const deleteFirings = (
  tx: OrgTx,
  policyId: string,
  { exceptForGroup }: { exceptForGroup: boolean },
) => run(tx)`
    delete from policy_firing
    where org_id = ${tx.orgId} and policy_id = ${policyId}
      and not (${exceptForGroup} and confirmed_at is null and because is not null)`;

export interface Release {
  id: string;
  policy_id: string;
  /** Its next subjects, by id. Null: everyone. */
  subjects: string[] | null;
  confirmed_by: string;
  stage: number;
  after_id: string | null;
}

/** Returns the release that was confirmed first, with its next `limit` subjects. While a policy is held because of a group, its releases wait. */
export const nextRelease = (tx: OrgTx, limit: number) => one<Release>(tx)`
    select id, policy_id, confirmed_by, stage, after_id, case when subjects is not null then array(
      select s from unnest(subjects) s where after_id is null or s > after_id order by s limit ${limit})
    end as subjects
    from policy_firing f
    where org_id = ${tx.orgId} and confirmed_at is not null and not ${isHeldForGroup}
    order by confirmed_at, id limit 1`;

export const advanceRelease = (
  tx: OrgTx,
  id: string,
  { stage, after }: { stage: number; after: string | null },
  created: number,
) => run(tx)`
    update policy_firing set stage = ${stage}, after_id = ${after}, created = created + ${created}
    where org_id = ${tx.orgId} and id = ${id}`;

export const deleteRelease = (tx: OrgTx, id: string) =>
  run(tx)`delete from policy_firing where org_id = ${tx.orgId} and id = ${id}`;

/** Returns the tasks of policies that no connector has fetched, made because these people left who are active now. */
export const scheduledForLeaving = (db: OrgDb, userIds: readonly string[]) => many<{
  id: string;
  policy_id: string;
}>(db)`
    select t.id, t.source_id as policy_id
    from ${accounts} a join ${tasks} t on t.org_id = a.org_id and t.account_id = a.id
    where a.org_id = ${db.orgId} and a.user_id = any(${userIds}::uuid[])
      and t.status in ('scheduled', 'pending') and t.dispatched_at is null and t.source_type = 'policy' and ${waitsForLeaving('t', sql`a.user_id`)}
      and exists (select from platform_user u where u.org_id = ${db.orgId} and u.id = a.user_id and u.status = 'active')
    order by t.source_id, t.number`;

/** Returns those of these accounts that may be an account that a task created (D24). */
export async function expectedAmong(db: OrgDb, accountIds: readonly string[]): Promise<string[]> {
  if (accountIds.length === 0) return [];
  return values<string>(db)`
    select e.account_id from ${expectedAccounts} e
    where e.org_id = ${db.orgId} and e.account_id = any(${accountIds}::uuid[])`;
}
