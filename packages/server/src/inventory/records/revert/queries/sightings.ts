import type { OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql } from '#kit/sql.ts';
import type { Change } from '../../history/change.ts';
import { isSighting } from '../../history/change-facts.ts';
import type { Scope } from '../../publication/relations.ts';
import { type SessionChanges, timeOf } from './find.ts';

/** The history tables, with the columns that a correction keeps. */
const PERIODS = [
  {
    update: sql`update account_period p`,
    insert: sql`insert into account_period`,
    columns: sql`org_id, account_id, app_id, resource_type_id, external_id, email, username, first_name, last_name,
      display_name, status, given, not_before, since`,
  },
  {
    update: sql`update membership_period p`,
    insert: sql`insert into membership_period`,
    columns: sql`org_id, account_id, entitlement_id, app_id, not_before, since, via_id, via_since, given`,
  },
  {
    update: sql`update entitlement_period p`,
    insert: sql`insert into entitlement_period`,
    columns: sql`org_id, entitlement_id, app_id, name, not_before, since`,
  },
];

/**
 * Withdraws what a session saw: a state, membership or name that it was the last to see counts as last seen by the sync before
 * it. Ended periods are corrected, so that reports as known before the revert keep their bounds. Run this after the
 * session's changes are marked as reverted.
 */
export async function withdrawSightings(
  tx: OrgTx,
  { orgId, appId }: Scope,
  change: Change,
  { at }: SessionChanges,
): Promise<void> {
  const now = timeOf(orgId, change.id);
  const before = (since: RawBuilder<unknown>) => sql`greatest(${since}, (
    select ic.at from inventory_change ic
    where ic.org_id = ${orgId} and ic.app_id = ${appId} and ${isSighting('ic')} and ic.at < ${at}
    order by ic.at desc limit 1))`;
  await run(tx)`
    update account a set tasked_at = ${before(sql`a.since`)}
    where a.org_id = ${orgId} and a.app_id = ${appId} and a.tasked_at = ${at} and a.since < ${at}`;
  for (const column of [sql`tasked_at`, sql`seen_until`])
    await run(tx)`
      update membership m set ${column} = ${before(sql`m.granted_at`)}
      from entitlement e
      where e.org_id = ${orgId} and e.app_id = ${appId} and m.org_id = e.org_id and m.entitlement_id = e.id
        and m.${column} = ${at} and m.granted_at < ${at}`;
  await run(tx)`
    update entitlement e set tasked_at = ${before(sql`e.since`)}
    where e.org_id = ${orgId} and e.app_id = ${appId} and e.tasked_at = ${at} and e.since < ${at}`;
  for (const { update, insert, columns } of PERIODS) {
    await run(tx)`
      with corrected as (
        ${update} set known_to = ${now}
        where p.org_id = ${orgId} and p.app_id = ${appId} and p.known_to is null
          and p.ended_at >= ${at} and p.seen_until = ${at} and p.since < ${at}
        returning p.*
      )
      ${insert} (${columns}, seen_until, gone_by, known_from, ended_at, began_by, ended_by)
      select ${columns}, ${before(sql`since`)}, gone_by, ${now}, greatest(ended_at, ${now}), began_by, ended_by
      from corrected`;
  }
}
