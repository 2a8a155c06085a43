import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import { accountStates, membershipPeriods } from '#inventory/records/history/facts.ts';
import { accountLinks, personAt } from '#inventory/records/history/link-facts.ts';
import { boundsOf, exactTime } from '#inventory/records/history/period-facts.ts';
import { accountsInScope, type Scope } from '#inventory/records/history/scope-facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { isoTime, many, type RawBuilder, sql } from '#kit/sql.ts';
import { grants } from '#reasons/grants/facts.ts';
import type { Period } from '../period-schemas.ts';
import { causeOf, endedByOf } from './causes.ts';

/** The place of a period in the list: its account, its entitlement, and when Gatehouse learned of it. */
export type Place = [account: string, entitlement: string, knownFrom: string, since: string];

export interface PeriodFilter {
  scope: Scope;
  apps: readonly string[] | null;
  /** Only accounts that belong to this person now, too. */
  owner: string | null;
  /** Only periods that may overlap these times. */
  from: string | null;
  to: string | null;
  knownAt: string;
}

/** The largest number of accounts that one page looks at. */
const LOOKED_AT = 300;
export const NONE = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const BEGINNING: Place = [NONE, NONE, '-infinity', '-infinity'];

/**
 * The periods of account `c` that are in a scope, for a lateral join. Columns: account_id, entitlement_id (NONE: of the account itself), status,
 * not_before, since, seen_until, gone_by, known_from, began_by, ended_by.
 */
export const periodsOfAccount = (db: OrgDb, scope: Scope, known?: RawBuilder<unknown>) => {
  const columns = sql`p.not_before, p.since, p.seen_until, p.gone_by, p.known_from, p.began_by, p.ended_by`;
  const ofEntitlement =
    'entitlement' in scope ? sql`p.entitlement_id = ${scope.entitlement}::uuid` : sql`true`;
  const memberships = sql`
    select p.account_id, p.entitlement_id, null as status, ${columns}
    from ${membershipPeriods(db, known)} p where p.account_id = c.id and ${ofEntitlement}`;
  const states = sql`
    select p.account_id, ${NONE}::uuid as entitlement_id, p.status, ${columns}
    from ${accountStates(db, known)} p where p.account_id = c.id and p.status <> 'NEW'`;
  // `offset` keeps the planner from joining all periods of the organization.
  return sql`(select * from (${'entitlement' in scope ? memberships : sql`${states} union all ${memberships}`}) every offset 0)`;
};

/** Whether the account of period `p` belonged to the person of the scope in it, between two times. True for other scopes. */
export const isTheirs = (
  db: OrgDb,
  scope: Scope,
  since: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  'user' in scope
    ? sql<boolean>`exists (
        select from ${accountLinks(db)} l
        where l.account_id = p.account_id and l.user_id = ${scope.user}::uuid
          and (l.ended_at is null
            or l.ended_at > ${since} and (p.not_before is null or p.not_before < l.ended_at))
          and l.since <= ${until} and (p.gone_by is null or p.gone_by > l.since))`
    : sql<boolean>`true`;

/**
 * Lists periods by account, entitlement and beginning. A period keeps its place when it ends, so that reading the list
 * page by page returns each one once while the history grows. Returns the place after which the next page begins.
 */
export async function listPeriods(
  db: OrgDb,
  { scope, apps, owner, from, to, knownAt }: PeriodFilter,
  after: Place | null,
  limit: number,
): Promise<{ results: Period[]; next: Place | null }> {
  const place = after ?? BEGINNING;
  const known = sql`${knownAt}::timestamptz`;
  const since = sql`coalesce(${from}::timestamptz, '-infinity')`;
  const until = sql`coalesce(${to}::timestamptz, 'infinity')`;
  const window = { apps, owner, first: place[0], limit: LOOKED_AT };
  const found = await many<{ looked_at: number; last: string | null; places: Place[] }>(db)`
    with looked_at as materialized (select c.id from ${accountsInScope(db, scope, window)} c),
    page as (
      select p.account_id, p.entitlement_id, p.known_from, p.since
      from ${accountsInScope(db, scope, window)} c
      cross join lateral ${periodsOfAccount(db, scope, known)} p
      where (p.gone_by is null or p.gone_by > ${since})
        and (p.since <= ${until} or p.not_before is null or p.not_before < ${until}) and ${isTheirs(db, scope, since, until)}
        and (p.account_id, p.entitlement_id, p.known_from, p.since)
          > (${place[0]}::uuid, ${place[1]}::uuid, ${place[2]}::timestamptz, ${place[3]}::timestamptz)
      order by c.id, p.entitlement_id, p.known_from, p.since limit ${limit + 1}
    )
    select (select count(*) from looked_at)::int as looked_at,
      (select id from looked_at order by id desc limit 1) as last,
      coalesce((select jsonb_agg(jsonb_build_array(account_id, entitlement_id, ${exactTime(sql`known_from`)}, ${exactTime(sql`since`)})
        order by account_id, entitlement_id, known_from, since) from page), '[]') as places`;
  const { looked_at, last, places } = found[0] as NonNullable<(typeof found)[0]>;
  const shown = places.slice(0, limit);
  const end: Place | null =
    looked_at === LOOKED_AT && last !== null ? [last, LAST, 'infinity', 'infinity'] : null;
  const next = places.length > limit ? (shown.at(-1) ?? null) : end;
  return { results: await readPeriods(db, { scope, known, until }, shown), next };
}

/** The access of row `w`. */
const ACCESS = { accountId: sql`w.account_id`, entitlementId: sql`nullif(w.entitlement_id, ${NONE}::uuid)` };

/** The first grant in force when period `p` of the access `w` began, or that of what gave it, as JSON. */
const firstGrant = (org: Org, known: RawBuilder<unknown>) => sql`(
  select jsonb_build_object('external_uuid', g.id, 'kind', g.kind, 'label', g.label, 'ends_at', ${isoTime(sql`g.ends_at`)})
  from ${grants} g
  where g.org_id = ${org.orgId} and g.account_id = w.account_id
    and g.entitlement_id is not distinct from coalesce(p.via_id, ${ACCESS.entitlementId})
    and g.recorded_at <= ${known} and g.starts_at <= p.since
    and coalesce(least(case when g.end_recorded_at <= ${known} then g.ended_at end, g.ends_at), 'infinity') > p.since
  order by g.starts_at, g.id limit 1)`;

/** Reads the periods at these places. Each has the person of the last time before `until` at which it was there, as lists as of a time have. */
async function readPeriods(
  db: OrgDb,
  { scope, known, until }: { scope: Scope; known: RawBuilder<unknown>; until: RawBuilder<unknown> },
  places: Place[],
): Promise<Period[]> {
  const column = (index: number) => places.map((place) => place[index]);
  const last = sql`case when p.gone_by is null or ${until} < p.gone_by then ${until} else p.seen_until end`;
  const user = 'user' in scope ? sql`${scope.user}::uuid` : personAt(db, sql`a.id`, last);
  const period = sql`p.not_before, p.since, p.seen_until, p.gone_by, p.began_by, p.ended_by`;
  return many<Period>(db)`
    select md5(concat_ws(' ', w.account_id, w.entitlement_id, w.known_from, w.since))::uuid as id,
      case when w.entitlement_id = ${NONE}::uuid then 'account' else 'membership' end as type,
      jsonb_build_object('id', b.id, 'name', b.name) as app,
      jsonb_build_object('id', a.id, 'email', coalesce(p.email, a.email),
        'display_name', coalesce(p.display_name, a.display_name),
        'external_id', coalesce(p.external_id, a.external_id)) as account,
      ${user} as "user",
      case when e.id is not null then jsonb_build_object('type', e.type, 'slug', e.slug, 'id', e.external_id,
        'name', e.name) end as resource,
      p.status, ${boundsOf('p')} as bounds,
      ${causeOf(db, sql`p.began_by`)} as began, ${causeOf(db, sql`p.ended_by`)} as ended,
      ${endedByOf(db, sql`p.ended_by`, ACCESS)} as ended_by, ${firstGrant(db, known)} as "grant"
    from unnest(${column(0)}::uuid[], ${column(1)}::uuid[], ${column(2)}::timestamptz[],
        ${column(3)}::timestamptz[])
      with ordinality as w (account_id, entitlement_id, known_from, since, n)
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = w.account_id
    join app b on b.org_id = a.org_id and b.id = a.app_id
    left join ${entitlements} e on e.org_id = a.org_id and e.id = w.entitlement_id
    cross join lateral (
      select p.status, p.email, p.display_name, p.external_id, ${period}, null::uuid as via_id
      from ${accountStates(db, known)} p
      where w.entitlement_id = ${NONE}::uuid and p.account_id = w.account_id and p.known_from = w.known_from
        and p.since = w.since and p.status <> 'NEW'
      union all
      select null, null, null, null, ${period}, case when p.via_since is null or p.via_since <= p.since then p.via_id end
      from ${membershipPeriods(db, known)} p
      where p.account_id = w.account_id and p.entitlement_id = w.entitlement_id and p.known_from = w.known_from
        and p.since = w.since
      limit 1
    ) p
    order by w.n`;
}
