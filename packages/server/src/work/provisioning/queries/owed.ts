import { accountExists, accounts, memberships } from '#inventory/records/accounts/facts.ts';
import { begunBy } from '#inventory/records/history/presence-facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import { endOf, grants, isGranted, isNeeded, isOwed } from '#reasons/grants/facts.ts';
import type { Access, EndKind } from '#reasons/grants/grant.ts';

/** An access that came back although the last grant on it had ended, with the decision that ended it. */
export interface OwedAccess extends Access {
  app_id: string;
  kind: Exclude<EndKind, 'end'>;
  source_id: string | null;
  label: string;
}

/**
 * An open task takes the access of row `b` away, or one did within a day, and the first sync since shows it: what no task can remove is
 * tried once a day.
 */
const isBeingRemoved = (
  tx: OrgTx,
) => sql`(coalesce(b.taken_at > clock_now() - interval '1 day', false) or exists (
  select from task t
  where t.org_id = ${tx.orgId} and t.account_id = b.account_id
    and t.status in ('scheduled', 'pending')
    and case when t.action = 'delete_account' then true else b.entitlement_id is not null and exists (
      select from task_change c
      where c.org_id = ${tx.orgId} and c.task_id = t.id and c.entitlement_id = b.entitlement_id and not c.added) end))`;

/**
 * Returns what a sync session shows again although it is owed (D73): given by us, no grant in force, and no task that takes it away.
 */
export const owedAccess = (tx: OrgTx, sessionId: string) => many<OwedAccess>(tx)`
    select b.account_id, b.entitlement_id, a.app_id, coalesce(g.ended_kind, g.kind) as kind,
      case when g.ended_kind is null then g.source_id else g.ended_source end as source_id, coalesce(g.ended_label, g.label) as label
    from ${begunBy(tx, sessionId)} b
    join ${accounts} a on a.org_id = ${tx.orgId} and a.id = b.account_id and ${accountExists('a')}
    cross join lateral (
      select * from ${grants} own
      where own.org_id = ${tx.orgId} and own.account_id = b.account_id and own.entitlement_id is not distinct from b.entitlement_id
        and ${isOwed('own')}
      order by ${endOf('own')} desc limit 1) g
    where case when b.entitlement_id is null then a.given and not ${isNeeded(sql`${tx.orgId}`, sql`b.account_id`)}
      else not ${isGranted(sql`${tx.orgId}`, sql`b.account_id`, sql`b.entitlement_id`)} and exists (
        select from ${memberships} m
        where m.org_id = ${tx.orgId} and m.account_id = b.account_id and m.entitlement_id = b.entitlement_id and m.given
          and m.via_id is null) end
      and not ${isBeingRemoved(tx)}
    order by b.account_id, b.entitlement_id`;
