import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import { personAt } from '#inventory/records/history/link-facts.ts';
import { boundsOf } from '#inventory/records/history/period-facts.ts';
import { accountsInScope } from '#inventory/records/history/scope-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import type { Change, Counts } from '../changes.ts';
import type { Difference } from '../period-schemas.ts';
import { type CompareFilter, comparedStates, mayDiffer, NONE } from './compared-states.ts';

/** `id` is its account and its entitlement. */
type Row = Difference & { id: string };

/** The place of a difference in the list: its account and its entitlement. */
export type Place = [account: string, entitlement: string];

/** One side of difference `d`, as JSON or null. */
const sideOf = (prefix: 'x' | 'y') => {
  const column = (name: string) => sql.ref(`d.${prefix}_${name}`);
  return sql`(
    select jsonb_build_object('status', ${column('status')}, 'email', ${column('email')},
      'username', ${column('username')}, 'display_name', ${column('display_name')},
      'external_id', ${column('external_id')},
      'certainty', case when ${column('certain')} then 'certain' else 'possible' end, 'bounds', ${boundsOf('bounds')})
    from (select ${sql.join(['not_before', 'since', 'seen_until', 'gone_by'].map((name) => sql`${column(name)} as ${sql.ref(name)}`))}) bounds
    where bounds.since is not null)`;
};

/** The largest number of accounts that one page looks at, and of those among them that it compares. */
const LOOKED_AT = 1000;
const COMPARED = 25;
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Lists what differs between two times, by account and entitlement, and counts it among the accounts that the page looks
 * at.
 */
export async function listDifferences(
  db: OrgDb,
  filter: CompareFilter & { change: Change | null },
  after: Place | null,
  limit: number,
): Promise<{ counts: Counts; complete: boolean; results: Row[]; next: Place | null }> {
  const { scope, apps, owner, from, to, change } = filter;
  const place = after ?? [NONE, NONE];
  const [first, second] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`];
  const window = { apps, owner, first: place[0], limit: LOOKED_AT };
  const rows = await many<{ total: Counts; last: string | null } & (Row | { id: null })>(db)`
    with looked_at as materialized (select c.id from ${accountsInScope(db, scope, window)} c),
    candidate as materialized (
      select c.id from looked_at c where ${mayDiffer(db, filter, { few: true })}
      order by c.id limit ${COMPARED}
    ),
    difference as materialized (
      select p.* from ${comparedStates(db, filter, sql`candidate`)} p
      where (p.account_id, p.entitlement_id) > (${place[0]}::uuid, ${place[1]}::uuid)
    ),
    page as (
      select * from difference where change is not null and (${change}::text is null or change = ${change})
      order by account_id, entitlement_id limit ${limit + 1}
    )
    select totals.total, totals.last, d.*
    from (
      select jsonb_build_object('added', count(*) filter (where change = 'added'),
          'removed', count(*) filter (where change = 'removed'),
          'changed', count(*) filter (where change = 'changed')) as total,
        case when (select count(*) from candidate) = ${COMPARED} then (select id from candidate order by id desc limit 1)
          when (select count(*) from looked_at) = ${LOOKED_AT} then (select id from looked_at order by id desc limit 1)
        end as last
      from difference
    ) totals
    left join lateral (
      select a.id || ' ' || d.entitlement_id as id, d.change, d.account_id, d.entitlement_id,
        case when d.entitlement_id = ${NONE}::uuid then 'account' else 'membership' end as type,
        jsonb_build_object('id', b.id, 'name', b.name) as app,
        jsonb_build_object('id', a.id, 'email', a.email, 'display_name', a.display_name,
          'external_id', a.external_id) as account,
        ${personAt(db, sql`a.id`, sql`case when d.change = 'removed' then ${first} else ${second} end`)} as "user",
        case when e.id is not null then jsonb_build_object('type', e.type, 'slug', e.slug, 'id', e.external_id,
          'name', e.name) end as resource,
        ${sideOf('x')} as before, ${sideOf('y')} as after,
        case when coalesce(x_certain, true) and coalesce(y_certain, true) then 'certain' else 'possible' end
          as certainty
      from page d
      join ${accounts} a on a.org_id = ${db.orgId} and a.id = d.account_id
      join app b on b.org_id = a.org_id and b.id = a.app_id
      left join ${entitlements} e on e.org_id = a.org_id and e.id = d.entitlement_id
    ) d on true
    order by d.account_id, d.entitlement_id`;
  const { total, last } = rows[0] as NonNullable<(typeof rows)[0]>;
  const found = rows.filter((row) => row.id !== null);
  const results = found.slice(0, limit);
  const end: Place | null = last === null ? null : [last, LAST];
  const [account, entitlement] = results.at(-1)?.id.split(' ') ?? [];
  const next: Place | null =
    found.length > limit && account !== undefined && entitlement !== undefined ? [account, entitlement] : end;
  return { counts: total, complete: end === null, results, next };
}
