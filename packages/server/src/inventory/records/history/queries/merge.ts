import { sql } from 'kysely';
import type { Tx } from '../../../../kit/database/open.ts';
import type { Change } from '../change.ts';

/**
 * Moves the ended periods of a duplicate to the account that it is merged into. The rows of the duplicate stay, as
 * recorded by mistake: reports about what was known before do not change. The account was not awaited while the
 * duplicate existed.
 */
export async function moveHistory(
  tx: Tx,
  change: Change,
  accountId: string,
  duplicateId: string,
): Promise<void> {
  const at = sql`(select at from inventory_change where org_id = ${change.orgId} and id = ${change.id})`;
  await sql`
    with retracted as (
      update account_period set known_to = greatest(ended_at, ${at})
      where org_id = ${change.orgId} and account_id = ${duplicateId} and known_to is null returning new.*
    )
    insert into account_period (org_id, account_id, app_id, resource_type_id, external_id, email, username, first_name,
      last_name, display_name, status, not_before, since, seen_until, gone_by, known_from, ended_at, began_by, ended_by)
    select org_id, ${accountId}, app_id, resource_type_id, external_id, email, username, first_name,
      last_name, display_name, status, not_before, since, seen_until, gone_by, known_to, known_to, began_by, ended_by
    from retracted`.execute(tx);
  await sql`
    with retracted as (
      update membership_period set known_to = greatest(ended_at, ${at})
      where org_id = ${change.orgId} and account_id = ${duplicateId} and known_to is null returning new.*
    )
    insert into membership_period (org_id, account_id, entitlement_id, app_id, not_before, since, seen_until, gone_by,
      known_from, ended_at, began_by, ended_by)
    select org_id, ${accountId}, entitlement_id, app_id, not_before, since, seen_until, gone_by, known_to, known_to,
      began_by, ended_by
    from retracted`.execute(tx);
  await sql`
    update account_period p set known_to = ended_at
    where p.org_id = ${change.orgId} and p.account_id = ${accountId} and p.ended_by = ${change.id} and p.status = 'NEW'
      and exists (
        select from account a where a.org_id = ${change.orgId} and a.id = p.account_id and a.since < p.ended_at)`.execute(
    tx,
  );
}
