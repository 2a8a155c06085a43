import { inventoryChanges } from '#inventory/records/history/change-facts.ts';
import { accountGaps, membershipGaps } from '#inventory/records/history/gap-facts.ts';
import { couldSee, unreadable } from '#inventory/records/sessions/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { endOf, grants } from '#reasons/grants/facts.ts';
import { decisionOfTask, tasks } from '#work/provisioning/facts.ts';

/** Whether state `p` of the account of item `i` keeps its access. A status counts if its task completed only: it may pass. */
const keepsAccess = sql<boolean>`(t.status is distinct from 'completed' or p.status <> 'INACTIVE'
  and not (p.status = 'SUSPENDED' and y.settings ->> 'revoke_account_by' = 'suspend'))`;

/** The decision that gave access back: that of the task of a change, or else the last grant since the review. */
const restoredBy = (org: Org): RawBuilder<unknown> => {
  const { kind, id } = decisionOfTask('back');
  return sql`coalesce((
    select jsonb_build_object('kind', ${kind}, 'external_uuid', ${id}, 'label', back.source_label)
    from ${inventoryChanges} c join ${tasks} back on back.org_id = ${org.orgId} and back.id = c.source_id
    where c.org_id = ${org.orgId} and c.id = gap.began_by and c.kind = 'task'), (
    select jsonb_build_object('kind', g.kind, 'external_uuid', g.source_id, 'label', g.label)
    from ${grants} g
    where g.org_id = ${org.orgId} and g.account_id = i.account_id and g.entitlement_id is not distinct from i.entitlement_id
      and g.recorded_at > i.decided_at and g.starts_at <= gap.back_at and coalesce(${endOf('g')}, 'infinity') > gap.back_at
    order by g.recorded_at desc, g.id limit 1))`;
};

/**
 * When a sync first saw that the access of the revoked item `i` was gone, and what came later (D75). Columns: seen_gone_at, seen_again_at and
 * restored_by, a decision as JSON. None if no sync has seen it gone. For a lateral join, with the account `a`, the entitlement `e`, the cycle
 * `y` and the latest attempt `t` at the task.
 */
export const firstSeenGone = (org: Org): RawBuilder<unknown> => sql`(
  select seen.at as seen_gone_at, gap.back_at as seen_again_at, case when gap.back_at is not null then ${restoredBy(org)} end as restored_by
  from (
    select * from ${membershipGaps(org, { accountId: sql`i.account_id`, entitlementId: sql`i.entitlement_id` })} m
    where i.entitlement_id is not null
    union all
    select * from ${accountGaps(org, sql`i.account_id`, keepsAccess)} m where i.entitlement_id is null offset 0) gap
  cross join lateral (
    select s.finished_at as at from sync_session s
    where s.org_id = ${org.orgId} and s.app_id = i.app_id and s.status = 'completed' and s.reverted_at is null
      and s.started_at > case when t.status = 'completed' then t.ended_at else i.decided_at end
      and s.finished_at >= coalesce(gap.gone_at, '-infinity') and s.finished_at < coalesce(gap.back_at, 'infinity')
      and ${couldSee(sql`array(
        select ${unreadable(sql`rt.slug`)} from resource_type rt where rt.org_id = ${org.orgId} and rt.id = a.resource_type_id
        union all select k.of from (values (${unreadable(sql`e.slug`)}), (${unreadable(sql`e.slug`, sql`e.external_id`)})) as k (of)
        where e.id is not null)`)}
    order by s.started_at limit 1) seen
  where i.decision = 'revoke'
  order by seen.at limit 1)`;
