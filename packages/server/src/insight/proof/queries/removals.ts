import { decidedItems } from '#decisions/reviews/campaigns/facts.ts';
import { decidedBy, decisionBehind } from '#insight/history/decision-facts.ts';
import { usualSync } from '#inventory/records/sessions/facts.ts';
import { seenGone } from '#inventory/records/sessions/gone-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { many, one, sql, value } from '#kit/sql.ts';
import { plannedSyncs } from '#work/connectors/facts.ts';
import { changedEntitlements, decidedAt, isEnd, tasks } from '#work/provisioning/facts.ts';
import { restoredBy } from '#work/provisioning/restored-facts.ts';
import type { Task } from '#work/provisioning/task.ts';
import type { ProofDecision } from '../proof-schemas.ts';

/** Returns the latest attempt at a task: a retry, a later task in its place, or the deletion of the account that preempted it. */
export const lastAttempt = (db: OrgDb, taskId: string) => value<string | undefined>(db)`
    with recursive attempt (id, account_id, status, attempt, preempted_by, n) as (
      select t.id, t.account_id, t.status, t.attempt, t.preempted_by, 0 from ${tasks} t
      where t.org_id = ${db.orgId} and t.id = ${taskId}
      union all
      select later.id, later.account_id, later.status, later.attempt, later.preempted_by, a.n + 1
      from attempt a join ${tasks} later on later.org_id = ${db.orgId} and later.account_id = a.account_id
        and (later.id = a.preempted_by or later.retry_of = a.id and (later.attempt > a.attempt or a.status = 'cancelled'))
      where a.n < 100)
    select id from attempt order by n desc, id desc limit 1`;

/**
 * Returns the last task, in the order of creation, that deletes or suspends an account. Unless `whole`, also one that takes groups or licenses
 * away from it. Canceled tasks take nothing away, and neither did failed ones that were retried.
 */
export const latestRemoval = (db: OrgDb, accountId: string, whole: boolean) => value<string | undefined>(db)`
    select t.id from ${tasks} t
    where t.org_id = ${db.orgId} and t.account_id = ${accountId} and t.status <> 'cancelled' and not exists (
        select from ${tasks} retry
        where retry.org_id = ${db.orgId} and retry.account_id = t.account_id and retry.retry_of = t.id and retry.attempt > t.attempt)
      and (t.action in ('delete_account', 'suspend_account') or not ${whole}::boolean and ${changedEntitlements(db, 't', false)} <> '{}')
    order by t.number desc limit 1`;

/** The decision behind a task. */
export interface Grounds {
  decision: ProofDecision;
  /** Null: a policy decided, nobody responded to a review, or the access had an end. */
  decided_by: { external_uuid: string; email: string } | null;
  decided_at: Date;
  /** The cycle of a review. */
  cycle: string | null;
}

export const groundsOf = (db: OrgDb, taskId: string) => one<Grounds>(db)`
    select ${decisionBehind(db, {
      accountId: sql`t.account_id`,
      entitlementId: sql`(${changedEntitlements(db, 't', false)})[1]::uuid`,
      at: sql`greatest(t.ended_at, t.execute_after)`,
    })} as decision,
      case when d.id is not null then jsonb_build_object('external_uuid', d.id, 'email', coalesce(u.email, '')) end as decided_by,
      coalesce(i.decided_at, ${decidedAt(db, 't')}) as decided_at, i.cycle_id as cycle
    from ${tasks} t
    left join lateral (select ${decidedBy(db)} as id) d on not ${isEnd('t')}
    left join platform_user u on u.org_id = ${db.orgId} and u.id = d.id
    left join ${decidedItems} i on t.source_type = 'review_item' and i.org_id = ${db.orgId} and i.id = t.source_id
    where t.org_id = ${db.orgId} and t.id = ${taskId}`;

/** When syncs first saw that access was gone, and what came later. Everything is null as long as none has. */
export interface SeenGone {
  /** Null: the account itself. */
  entitlement_id: string | null;
  sync_id: string | null;
  seen_gone_at: Date | null;
  seen_again_at: Date | null;
  restored_by: ProofDecision | null;
}

/** Whether state `p` of the account of task `t` keeps its access. A status counts if the task completed: it may pass. */
const keepsAccess = sql<boolean>`(t.status <> 'completed' or p.status <> 'INACTIVE'
  and not (p.status = 'SUSPENDED' and t.action = 'suspend_account'))`;

/** Returns when the access that a task takes away was seen gone: groups and licenses, or the account itself. */
export const seenGoneAfter = (
  db: OrgDb,
  { id, account_id, app_id }: Task,
  entitlementIds: readonly string[] | null,
) => {
  const accountId = sql`${account_id}::uuid`;
  const taken = { accountId, entitlementId: sql`taken.id` };
  const things =
    entitlementIds === null ? sql`(values (null::uuid))` : sql`unnest(${[...entitlementIds]}::uuid[])`;
  return many<SeenGone>(db)`
    select taken.id as entitlement_id, gone.sync_id, gone.seen_gone_at, gone.seen_again_at,
      ${restoredBy(db, 'gone', { ...taken, since: decidedAt(db, 't') })} as restored_by
    from ${tasks} t cross join ${things} as taken (id)
    left join lateral ${seenGone(db, {
      ...taken,
      appId: sql`${app_id}::uuid`,
      keeps: keepsAccess,
      after: sql`case when t.status = 'completed' and t.ended_reason is null then t.ended_at else ${decidedAt(db, 't')} end`,
    })} gone on true
    where t.org_id = ${db.orgId} and t.id = ${id}`;
};

/** Returns when a sync first saw that an account is gone, without a task of ours. */
export const seenGoneNow = (db: OrgDb, { id, app_id }: { id: string; app_id: string }) => one<SeenGone>(db)`
    select null::uuid as entitlement_id, gone.sync_id, gone.seen_gone_at, null::timestamptz as seen_again_at, null::jsonb as restored_by
    from (select) nothing left join lateral ${seenGone(db, {
      appId: sql`${app_id}::uuid`,
      accountId: sql`${id}::uuid`,
      entitlementId: sql`null::uuid`,
      keeps: sql`p.status <> 'INACTIVE'`,
      after: sql`'-infinity'::timestamptz`,
      stillGone: true,
    })} gone on true`;

/** The next sync of an app. */
export interface NextSync {
  /** Null: not known. */
  at: Date | null;
  /** Whether people upload its accounts. */
  is_upload: boolean;
}

/** Returns when the next sync is planned, or else when it usually begins, which four syncs show. */
export const nextSync = (db: OrgDb, appId: string) => one<NextSync>(db)`
    select coalesce(planned.next_sync_at,
      case when usual.gaps >= 3 and not usual.is_upload then seconds_after(usual.finished_at, usual.seconds) end) as at,
      planned.app_id is null and coalesce(usual.is_upload, false) as is_upload
    from ${usualSync(db, sql`${appId}::uuid`)} usual
    left join ${plannedSyncs} planned on planned.org_id = ${db.orgId} and planned.app_id = ${appId}`;
