import { completedReviews } from '#decisions/reviews/campaigns/facts.ts';
import { accounts } from '#inventory/records/accounts/facts.ts';
import { isSighting } from '#inventory/records/history/change-facts.ts';
import { accountsInScope, type Scope } from '#inventory/records/history/scope-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { many, sql, value } from '#kit/sql.ts';
import { isTheirs, NONE, periodsOfAccount } from './periods.ts';

export interface MarksFilter {
  scope: Scope;
  apps: readonly string[] | null;
  owner: string | null;
  from: string;
  to: string;
}

const NOTHING = sql`select null::timestamptz as at, null as kind where false`;

const accountsOf = (db: OrgDb, { scope, apps, owner }: MarksFilter, limit: number | null) =>
  accountsInScope(db, scope, { apps, owner, first: NONE, limit });

/** Whether a scope has at most this many accounts. */
export const isSmall = async (db: OrgDb, filter: MarksFilter, most: number) =>
  (await value<number>(db)`
    select count(*) from ${accountsOf(db, filter, most + 1)} c`) <= most;

/** A part of an hour in which something happened. */
export interface Moment {
  at: Date;
  syncs: number;
  began: number;
  ended: number;
  reviews: number;
}

/** Time zones differ by multiples of it, so that each part is in one day of any of them. */
const PART = sql`interval '15 minutes'`;

/** Returns when syncs completed, access began and ended, and reviews were completed. */
export function listMoments(
  db: OrgDb,
  filter: MarksFilter,
  shows: { access: boolean; reviews: boolean },
): Promise<Moment[]> {
  const { scope, apps } = filter;
  const from = sql`${filter.from}::timestamptz`;
  const to = sql`${filter.to}::timestamptz`;
  const visible = apps === null ? sql`true` : sql`s.app_id = any(${apps}::uuid[])`;
  const ofApps =
    'app' in scope
      ? sql`s.app_id = ${scope.app}::uuid`
      : 'all' in scope
        ? visible
        : sql`s.app_id in (
            select a.app_id from ${accounts} a
            where a.org_id = ${db.orgId} and a.id in (select c.id from ${accountsOf(db, filter, null)} c))`;
  // A change of an account's state ends one period and begins the next: that is neither a beginning nor an end.
  const access = sql`
    select x.at, x.kind from (
      select p.*, lag(p.ended_by) over same as before, lead(p.began_by) over same as after
      from ${accountsOf(db, filter, null)} c cross join lateral ${periodsOfAccount(db, scope)} p
      where p.status is distinct from 'INACTIVE' and ${isTheirs(db, scope, from, to)}
      window same as (partition by p.account_id, p.entitlement_id order by p.since, p.known_from)
    ) p cross join lateral (values
      (case when p.not_before is not null and coalesce(p.before <> p.began_by, true) then p.since end, 'began'),
      (case when coalesce(p.after <> p.ended_by, true) then p.gone_by end, 'ended')) as x (at, kind)
    where x.at between ${from} and ${to}`;
  return many<Moment>(db)`
    select date_bin(${PART}, m.at, 'epoch'::timestamptz) as at,
      (count(*) filter (where m.kind = 'sync'))::int as syncs,
      (count(*) filter (where m.kind = 'began'))::int as began,
      (count(*) filter (where m.kind = 'ended'))::int as ended,
      (count(*) filter (where m.kind = 'review'))::int as reviews
    from (
      select s.at, 'sync' as kind from inventory_change s
      where s.org_id = ${db.orgId} and ${isSighting('s')} and s.at between ${from} and ${to} and ${ofApps}
      union all ${shows.access ? access : NOTHING}
      union all ${shows.reviews ? completedReviews(db, scope, apps, { from, to }) : NOTHING}
    ) m
    group by 1 order by 1`;
}
