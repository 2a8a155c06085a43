import { accounts, memberships } from '#inventory/records/accounts/facts.ts';
import { becameOwn } from '#inventory/records/history/link-facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/** Whether the person who kept item `i` has its account since (D76). */
export const isKeptByItsOwn = (org: Org): RawBuilder<boolean> => sql`(i.decision is not distinct from 'keep'
  and ${becameOwn(org, sql`i.account_id`, { person: sql`i.decided_by`, at: sql`i.decided_at` })})`;

/**
 * The accounts that people had after they kept access of them, and still have: a row for each last decision about access, in cycles of the last
 * year. Columns: account_id, decided_at. `within` limits the accounts.
 */
export const keptByTheirOwn = (
  org: Org,
  within: (accountId: RawBuilder<unknown>) => RawBuilder<boolean>,
): RawBuilder<unknown> => {
  const isRecent = (cycle: string) =>
    sql`${sql.ref(`${cycle}.org_id`)} = ${org.orgId} and coalesce(${sql.ref(`${cycle}.completed_at`)}, 'infinity') > clock_now() - interval '366 days'`;
  return sql`(
    select i.account_id, i.decided_at
    from review_cycle y
    join review_item i on i.org_id = ${org.orgId} and i.cycle_id = y.id and i.decision = 'keep'
    join platform_user d on d.org_id = ${org.orgId} and d.id = i.decided_by
    join ${accounts} a on a.org_id = ${org.orgId} and a.id = i.account_id and a.user_id in (d.id, d.merged_into)
    where ${isRecent('y')} and ${within(sql`i.account_id`)} and ${isKeptByItsOwn(org)}
      and (i.entitlement_id is null or exists (
        select from ${memberships} m
        where m.org_id = ${org.orgId} and m.account_id = i.account_id and m.entitlement_id = i.entitlement_id))
      and not exists (
        select from review_cycle z
        join review_item n on n.org_id = ${org.orgId} and n.cycle_id = z.id and n.account_id = i.account_id
          and n.entitlement_id is not distinct from i.entitlement_id
        where ${isRecent('z')} and n.decided_by is not null and n.decided_at > i.decided_at))`;
};
