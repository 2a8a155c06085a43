import { sql } from 'kysely';
import { accounts, entitlements } from '../../inventory/facts.ts';
import { accountsInScope, mayHaveChanged, type Scope } from '../../inventory/history/candidates.ts';
import { accountStates, isCertain, isPossible, membershipPeriods } from '../../inventory/history/facts.ts';
import { accountLinks } from '../../inventory/history/link-facts.ts';
import { isLinked, personAt } from '../../inventory/history/links-at.ts';
import { type Bounds, bestFirst, boundsOf, type Certainty } from '../../inventory/history/shape.ts';
import type { Db } from '../../platform/database/open.ts';
import type { Period } from './periods.ts';

export const CHANGES = ['added', 'removed', 'changed'] as const;
export type Change = (typeof CHANGES)[number];

/** A state as it was at one of the two times. */
export interface Side {
  status: string | null;
  email: string | null;
  username: string | null;
  display_name: string | null;
  external_id: string | null;
  certainty: Certainty;
  bounds: Bounds;
}

/** Something that differs between two times. */
export interface Difference extends Pick<Period, 'type' | 'app' | 'account' | 'user' | 'resource'> {
  id: string;
  change: Change;
  before: Side | null;
  after: Side | null;
  certainty: Certainty;
}

/** The place of a difference in the list: its account and its entitlement. */
export type Place = [account: string, entitlement: string];

export interface CompareFilter {
  scope: Scope;
  apps: readonly string[] | null;
  owner: string | null;
  from: string;
  to: string;
  knownAt: string;
  change: Change | null;
}

export type Counts = Record<Change, number>;

/** The largest number of accounts that one page looks at, and of those among them that it compares. */
const LOOKED_AT = 2000;
const COMPARED = 150;
const NONE = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Lists what differs between two times, by account and entitlement, and counts it among the accounts that the page looks
 * at. A state counts as added if it was absent at first and present later, and possibly so if one of the two is only
 * possible. So does one that was first seen between the two times and may have been there at the first.
 */
export async function listDifferences(
  db: Db,
  orgId: string,
  { scope, apps, owner, from, to, knownAt, change }: CompareFilter,
  after: Place | null,
  limit: number,
): Promise<{ counts: Counts; complete: boolean; results: Difference[]; next: Place | null }> {
  const place = after ?? [NONE, NONE];
  const known = sql`${knownAt}::timestamptz`;
  const [first, second] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`];
  const window = { apps, owner, first: place[0], limit: LOOKED_AT };
  const isTheirs = (at: typeof first) =>
    'user' in scope
      ? sql`exists (
          select from ${accountLinks(orgId)} l
          where l.account_id = c.id and l.user_id = ${scope.user}::uuid and ${isLinked('l', at)})`
      : sql`true`;
  const side = (at: typeof first, content: typeof first) => sql`
    p.since, p.not_before, p.gone_by, ${isCertain('p', at)} as certain, ${content} as content,
    jsonb_build_object('certainty', case when ${isCertain('p', at)} then 'certain' else 'possible' end,
      'bounds', ${boundsOf('p')}) as view`;
  const content = sql`jsonb_build_object('status', p.status, 'email', p.email, 'username', p.username,
    'display_name', p.display_name, 'external_id', p.external_id)`;
  const state = (at: typeof first) => sql`(
    select ${side(at, content)} from ${accountStates(orgId, known, at)} p
    where p.account_id = c.id and p.status <> 'NEW' and ${isPossible('p', at)} and ${isTheirs(at)}
    order by ${bestFirst('p', at)} limit 1)`;
  const ofEntitlement =
    'entitlement' in scope ? sql`p.entitlement_id = ${scope.entitlement}::uuid` : sql`true`;
  const held = (at: typeof first) => sql`(
    select distinct on (p.entitlement_id) p.entitlement_id,
      ${side(at, sql`jsonb_build_object('status', null, 'email', null, 'username', null, 'display_name', null, 'external_id', null)`)}
    from ${membershipPeriods(orgId, known, at)} p
    where p.account_id = c.id and ${ofEntitlement} and ${isPossible('p', at)} and ${isTheirs(at)}
    order by p.entitlement_id, ${bestFirst('p', at)})`;
  const pair = sql`
    x.since as x_since, x.gone_by as x_gone_by, x.certain as x_certain, x.content as x_content, x.view as x_view,
    y.since as y_since, y.not_before as y_not_before, y.certain as y_certain, y.content as y_content,
    y.view as y_view`;
  const accountPairs = sql`
    select ${NONE}::uuid as entitlement_id, ${pair} from (select) one
    left join ${state(first)} x on true left join ${state(second)} y on true`;
  const heldPairs = sql`
    select coalesce(x.entitlement_id, y.entitlement_id) as entitlement_id, ${pair}
    from ${held(first)} x full join ${held(second)} y on y.entitlement_id = x.entitlement_id`;
  const { rows } = await sql<Difference & { total: Counts; last: string | null }>`
    with looked_at as materialized (select c.id from ${accountsInScope(orgId, scope, window)} c),
    candidate as materialized (
      select c.id from looked_at c where ${'user' in scope ? sql`true` : mayHaveChanged(orgId, sql`c.id`, first)}
      order by c.id limit ${COMPARED}
    ),
    pair as (
      select c.id as account_id, p.* from candidate c
      cross join lateral (${'entitlement' in scope ? heldPairs : sql`${accountPairs} union all ${heldPairs}`}) p
    ),
    difference as materialized (
      select p.*, case
          when x_since is null and y_since is not null then 'added'
          when x_since is not null and y_since is null then 'removed'
          when x_content <> y_content then 'changed'
          when x_since = y_since and ${first} < y_since and y_since <= ${second} and y_not_before is not null then 'added'
          when x_since = y_since and x_certain and not y_certain and x_gone_by is not null then 'removed'
        end as change
      from pair p
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
        ${personAt(orgId, sql`a.id`, sql`case when d.change = 'removed' then ${first} else ${second} end`)} as "user",
        case when e.id is not null then jsonb_build_object('type', e.type, 'slug', e.slug, 'id', e.external_id,
          'name', e.name) end as resource,
        x_content || x_view as before, y_content || y_view as after,
        case when coalesce(x_certain, true) and coalesce(y_certain, true) then 'certain' else 'possible' end
          as certainty
      from page d
      join ${accounts} a on a.org_id = ${orgId} and a.id = d.account_id
      join app b on b.org_id = a.org_id and b.id = a.app_id
      left join ${entitlements} e on e.org_id = a.org_id and e.id = d.entitlement_id
    ) d on true
    order by d.account_id, d.entitlement_id`.execute(db);
  const { total, last } = rows[0] as NonNullable<(typeof rows)[0]>;
  const found = rows.filter(({ id }) => id !== null);
  const results = found.slice(0, limit);
  const end: Place | null = last === null ? null : [last, LAST];
  const [account, entitlement] = results.at(-1)?.id.split(' ') ?? [];
  const next: Place | null =
    found.length > limit && account !== undefined && entitlement !== undefined ? [account, entitlement] : end;
  return { counts: total, complete: end === null, results, next };
}
