import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import { accountsInScope } from '#inventory/records/history/scope-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { sql, value } from '#kit/sql.ts';
import type { Counts } from '../changes.ts';
import { type CompareFilter, comparedStates, mayDiffer, NONE } from './compared-states.ts';

/** The differences of one kind in one app. */
export interface CountedGroup extends Counts {
  app: { id: string; name: string };
  type: 'account' | 'group' | 'license';
}

/**
 * Counts all differences between two times, by app and type. Returns null if more than `most` accounts may differ: then
 * it compares none of them.
 */
export async function countDifferences(
  db: OrgDb,
  filter: CompareFilter,
  most: number,
): Promise<CountedGroup[] | null> {
  const { scope, apps, owner } = filter;
  const window = { apps, owner, first: NONE, limit: null };
  return (
    (await value<CountedGroup[] | null | undefined>(db)`
    with candidate as materialized (
      select c.id from ${accountsInScope(db, scope, window)} c where ${mayDiffer(db, filter, { few: false })} limit ${most + 1}
    ),
    is_limited as materialized (select count(*) <= ${most} as yes from candidate),
    counted as (
      select a.app_id, coalesce(e.type, 'account') as type, count(*) filter (where d.change = 'added') as added,
        count(*) filter (where d.change = 'removed') as removed,
        count(*) filter (where d.change = 'changed') as changed
      from ${comparedStates(db, filter, sql`(select id from candidate where (select yes from is_limited))`)} d
      join ${accounts} a on a.org_id = ${db.orgId} and a.id = d.account_id
      left join ${entitlements} e on e.org_id = a.org_id and e.id = d.entitlement_id
      where d.change is not null
      group by 1, 2
    )
    select case when (select yes from is_limited) then (
      select coalesce(jsonb_agg(jsonb_build_object('app', jsonb_build_object('id', b.id, 'name', b.name),
        'type', c.type, 'added', c.added, 'removed', c.removed, 'changed', c.changed)
        order by b.name, b.id, c.type), '[]')
      from counted c join app b on b.org_id = ${db.orgId} and b.id = c.app_id
    ) end as groups`) ?? null
  );
}
