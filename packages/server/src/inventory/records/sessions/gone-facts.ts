import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { accounts, entitlements } from '../accounts/facts.ts';
import { accountGaps, membershipGaps } from '../history/gap-facts.ts';
import { couldSee, unreadable } from './facts.ts';

type Sql = RawBuilder<unknown>;

/** An account, or a group or license of it if `entitlementId` is not null. All are SQL expressions. */
interface Gone {
  appId: Sql;
  accountId: Sql;
  entitlementId: Sql;
  /** Whether state `p` of the account still counts as access. */
  keeps: RawBuilder<boolean>;
  /** Only syncs that began after this time count. */
  after: Sql;
  /** Whether only its present absence counts. Otherwise, also one that is over. */
  stillGone?: boolean;
}

/**
 * When a sync first saw that access was gone, and when it came back (D75). Columns: sync_id, seen_gone_at, seen_again_at, and began_by, the change
 * that brought it back. None if no sync has seen it gone. For a lateral join.
 */
export const seenGone = (
  org: Org,
  { appId, accountId, entitlementId, keeps, after, stillGone = false }: Gone,
): Sql => sql`(
  select seen.id as sync_id, seen.at as seen_gone_at, gap.back_at as seen_again_at, gap.began_by
  from (
    select * from ${membershipGaps(org, { accountId, entitlementId })} m where ${entitlementId} is not null
    union all
    select * from ${accountGaps(org, accountId, keeps)} m where ${entitlementId} is null offset 0) gap
  cross join lateral (
    select s.id, s.finished_at as at from sync_session s
    where s.org_id = ${org.orgId} and s.app_id = ${appId} and s.status = 'completed' and s.reverted_at is null and s.started_at > ${after}
      and s.finished_at >= coalesce(gap.gone_at, '-infinity') and s.finished_at < coalesce(gap.back_at, 'infinity')
      and ${couldSee(sql`array(
        select ${unreadable(sql`rt.slug`)} from ${accounts} ga join resource_type rt on rt.org_id = ${org.orgId} and rt.id = ga.resource_type_id
        where ga.org_id = ${org.orgId} and ga.id = ${accountId}
        union all
        select k.of from ${entitlements} ge
        cross join lateral (values (${unreadable(sql`ge.slug`)}), (${unreadable(sql`ge.slug`, sql`ge.external_id`)})) as k (of)
        where ge.org_id = ${org.orgId} and ge.id = ${entitlementId})`)}
    order by s.started_at limit 1) seen
  where gap.back_at is null or not ${sql.lit(stillGone)}
  order by seen.at limit 1)`;
