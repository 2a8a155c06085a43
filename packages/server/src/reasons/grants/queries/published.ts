import { begunBy, endedBy, wasHeld } from '#inventory/records/history/presence-facts.ts';
import type { Org, OrgTx } from '#kit/database.ts';
import { many, run, sql } from '#kit/sql.ts';
import { hasAccess, isOpen, owedUntil } from '../facts.ts';
import { OWED_SECONDS } from '../grant.ts';

/** Grant `g` is on the access of row `b`. */
const isOn = (org: Org) => sql`g.org_id = ${org.orgId} and g.account_id = b.account_id
  and g.entitlement_id is not distinct from b.entitlement_id`;

/** Whether grant `g` is in force or owed, or begins later. */
const counts = sql`coalesce(${owedUntil('g')}, 'infinity') > clock_now()`;

/**
 * The accesses that a session began and whose finding depends on grants: groups and licenses that are given after all, since a grant was in
 * force or owed while they were away, and accounts that came back without one.
 */
export const judged = (tx: OrgTx, sessionId: string) => many<{
  account_id: string;
  entitlement_id: string | null;
}>(tx)`
    select b.account_id, b.entitlement_id
    from ${begunBy(tx, sessionId)} b
    cross join lateral (
      select exists (
        select from access_grant g
        where ${isOn(tx)} and g.starts_at <= clock_now() and ${counts}) as is_covered offset 0) c
    where case when b.entitlement_id is null then b.was_given and b.absent_since is not null and not c.is_covered
      else c.is_covered and coalesce(b.was_given, true) end`;

/** Notes that what a session shows is there. Access that comes back later than a grant is owed is not that of the grant. */
export const noteBack = (tx: OrgTx, sessionId: string) => run(tx)`
    update access_grant g set gone_since = null
    from ${begunBy(tx, sessionId)} b where ${isOn(tx)} and g.gone_since is not null and ${counts}`;

/** Notes that what a session no longer shows is gone. */
export const noteMissing = (tx: OrgTx, sessionId: string) => run(tx)`
    update access_grant g set gone_since = clock_now()
    from ${endedBy(tx, sessionId)} b where ${isOn(tx)} and g.gone_since is null`;

/** Notes for all grants of an app whether their access is there, as after a revert. */
export async function notePresence(tx: OrgTx, appId: string): Promise<void> {
  await run(tx)`
    update access_grant g set gone_since = null
    where g.org_id = ${tx.orgId} and g.app_id = ${appId} and g.gone_since is not null and ${counts} and ${hasAccess(tx, 'g')}`;
  await run(tx)`
    update access_grant g set gone_since = clock_now()
    where g.org_id = ${tx.orgId} and g.app_id = ${appId} and g.gone_since is null and not ${hasAccess(tx, 'g')}
      and (g.entitlement_id is null and g.brought or ${wasHeld(tx, sql`g.account_id`, sql`g.entitlement_id`)})`;
}

/** Ends the grants of an app whose access syncs have not shown for 30 days. */
export const endMissing = (tx: OrgTx, appId: string, sessionId: string) => run(tx)`
    update access_grant g set ended_at = seconds_after(g.gone_since, ${OWED_SECONDS}), end_recorded_at = clock_now(),
      ended_kind = 'sync', ended_source = ${sessionId}::uuid, ended_label = ''
    where g.org_id = ${tx.orgId} and g.app_id = ${appId} and g.gone_since is not null and g.ended_at is null
      and seconds_after(g.gone_since, ${OWED_SECONDS}) <= clock_now() and ${isOpen('g')}`;
