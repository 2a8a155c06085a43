import type { OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql } from '#kit/sql.ts';
import type { Change } from '../change.ts';

/**
 * Moves the ended periods of duplicates to the accounts that they are merged into. `merges` is a relation `m` with the columns
 * account_id and duplicate_id. The rows of a duplicate stay, as recorded by mistake: reports about what was known before do not
 * change. Periods in which a duplicate was awaited itself are its own. The account was not awaited after the duplicate was first seen.
 */
export async function moveHistory(tx: OrgTx, change: Change, merges: RawBuilder<unknown>): Promise<void> {
  const at = sql`(select at from inventory_change where org_id = ${change.orgId} and id = ${change.id})`;
  await run(tx)`
    with retracted as (
      update account_period p set known_to = greatest(ended_at, ${at}) from ${merges}
      where p.org_id = ${change.orgId} and p.account_id = m.duplicate_id and p.known_to is null
        and p.external_id is not null
      returning m.account_id as kept_id, new.*
    )
    insert into account_period (org_id, account_id, app_id, resource_type_id, external_id, email, username, first_name,
      last_name, display_name, status, given, not_before, since, seen_until, gone_by, known_from, ended_at, began_by, ended_by)
    select org_id, kept_id, app_id, resource_type_id, external_id, email, username, first_name,
      last_name, display_name, status, given, not_before, since, seen_until, gone_by, known_to, known_to, began_by, ended_by
    from retracted`;
  await run(tx)`
    with retracted as (
      update membership_period p set known_to = greatest(ended_at, ${at}) from ${merges}
      where p.org_id = ${change.orgId} and p.account_id = m.duplicate_id and p.known_to is null
      returning m.account_id as kept_id, new.*
    )
    insert into membership_period (org_id, account_id, entitlement_id, app_id, not_before, since, seen_until, gone_by,
      known_from, ended_at, began_by, ended_by, via_id, via_since, given)
    select org_id, kept_id, entitlement_id, app_id, not_before, since, seen_until, gone_by, known_to, known_to,
      began_by, ended_by, via_id, via_since, given
    from retracted`;
  await run(tx)`
    with retracted as (
      update account_period p set known_to = ended_at from ${merges}
      join account a on a.org_id = ${change.orgId} and a.id = m.account_id
      cross join lateral (
        select least(a.since, min(d.since)) as until from account_period d
        where d.org_id = ${change.orgId} and d.account_id = m.duplicate_id and d.external_id is not null and d.known_to >= ${at}
      ) as first_seen
      where p.org_id = ${change.orgId} and p.account_id = m.account_id and p.ended_by = ${change.id}
        and p.status in ('NEW', 'INVITED') and p.external_id is null and a.since < p.ended_at
      returning until, new.*
    )
    insert into account_period (org_id, account_id, app_id, resource_type_id, external_id, email, username, first_name,
      last_name, display_name, status, given, not_before, since, seen_until, gone_by, known_from, ended_at, began_by, ended_by)
    select org_id, account_id, app_id, resource_type_id, external_id, email, username, first_name, last_name, display_name,
      status, given, not_before, since, least(seen_until, until), least(gone_by, until), known_to, known_to, began_by, ended_by
    from retracted where status = 'INVITED' and since < until`;
}
