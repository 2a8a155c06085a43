import type { Org, OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import { exists, many, one, type RawBuilder, sql } from '#kit/sql.ts';
import { accountStates, isPossible, membershipPeriods } from '../../history/facts.ts';
import { accountLinks, isLinked, personAt } from '../../history/link-facts.ts';
import type { Moment } from '../../history/moment.ts';
import {
  type Bounds,
  bestFirst,
  boundsOf,
  type Certainty,
  certaintyOf,
  exactTime,
} from '../../history/period-facts.ts';
import { atOf, knownOf } from '../../history/queries/times.ts';
import type { AccountStatus } from '../account.ts';
import type { AccountView, HeldView } from '../account-view.ts';
import type { AccountDetails } from '../detail-facts.ts';
import { giverOf } from '../facts.ts';

/** The fields of an account that have no history. */
type Undated = 'candidates' | 'kind' | 'owner' | 'owner_confirmed' | keyof AccountDetails;

interface Dated {
  certainty: Certainty;
  bounds: Bounds;
}

export type EntitlementAsOf = HeldView & Dated;

/** An account as it was at a moment. */
export type AccountAsOf = Omit<AccountView, Undated | 'memberships' | 'assignments'> &
  Record<'memberships' | 'assignments', Record<string, EntitlementAsOf[]>> &
  Dated;

/** The state of account `a` at a moment, as a lateral relation with the columns of accountStates. */
const stateOf = (org: Org, moment: Moment) => sql`(
  select state.* from ${accountStates(org, knownOf(moment), atOf(moment))} state
  where state.account_id = a.id and ${isPossible('state', atOf(moment))}
  order by ${bestFirst('state', atOf(moment))} limit 1)`;

/**
 * The groups and licenses that account `a` held at a moment, as a lateral relation with the columns `memberships` and
 * `assignments`: objects by resource type slug.
 */
const entitlementsOf = (org: Org, moment: Moment) => sql`(
    select coalesce(jsonb_object_agg(by_type.slug, by_type.refs) filter (where by_type.type = 'group'), '{}')
        as memberships,
      coalesce(jsonb_object_agg(by_type.slug, by_type.refs) filter (where by_type.type = 'license'), '{}')
        as assignments
    from (
      select t.slug, t.type, jsonb_agg(jsonb_build_object('id', e.external_id, 'name', e.name,
        'granted_at', ${exactTime(sql`m.since`)}, 'certainty', ${certaintyOf('m', atOf(moment))}, 'found', not m.given,
        'entitlement_id', e.id,
        'bounds', ${boundsOf('m')}) || case when m.via_since is null or m.via_since <= ${atOf(moment)}
          then jsonb_build_object('via', ${giverOf(org, 'm')}) else '{}' end order by e.external_id) as refs
      from (
        select distinct on (held.entitlement_id) held.*
        from ${membershipPeriods(org, knownOf(moment), atOf(moment))} held
        where held.account_id = a.id and ${isPossible('held', atOf(moment))}
        order by held.entitlement_id, ${bestFirst('held', atOf(moment))}
      ) m
      join entitlement e on e.org_id = ${org.orgId} and e.id = m.entitlement_id
      join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
      group by t.slug, t.type
    ) as by_type)`;

/** The columns of AccountAsOf, from account `a`, its state `s` and its app `p`. */
const view = (org: Org, moment: Moment) => sql`
  a.id, a.app_id, p.name as app_name, s.external_id, s.email, s.username, s.display_name, s.status, not s.given as found,
  x.user_id as "user",
  (select ${namedPersonJson('u')}
    from platform_user u where u.org_id = ${org.orgId} and u.id = x.user_id) as person,
  s.seen_until as last_seen_at,
  ${certaintyOf('s', atOf(moment))} as certainty, ${boundsOf('s')} as bounds,
  held.memberships, held.assignments`;

const joined = (org: Org, moment: Moment) => sql`
  cross join lateral ${stateOf(org, moment)} s
  join app p on p.org_id = a.org_id and p.id = a.app_id
  cross join lateral (select ${personAt(org, sql`a.id`, atOf(moment))} as user_id) x
  cross join lateral ${entitlementsOf(org, moment)} held`;

export const findAccountAsOf = (db: OrgDb, accountId: string, moment: Moment) => one<AccountAsOf>(db)`
    select ${view(db, moment)} from account a ${joined(db, moment)}
    where a.org_id = ${db.orgId} and a.id = ${accountId}`;

/** The largest number of accounts that one page looks at. */
const LOOKED_AT = 1000;

export interface AsOfFilter {
  /** Null: all apps. */
  apps: string[] | null;
  status?: AccountStatus | undefined;
  /** The accounts of one person, at that time. */
  user: string | null;
  /** Only accounts that belong to this person now, too. */
  nowOf: string | null;
  /** Only accounts after this one. */
  after: string | null;
}

export interface AccountsAsOf {
  results: AccountAsOf[];
  /** The account after which the next page begins, or null at the end of the list. */
  next: string | null;
}

/**
 * Lists the accounts that existed at a moment in the order of their ids. A page looks at a limited number of accounts,
 * so that it can hold fewer results than its limit although more follow.
 */
export async function listAccountsAsOf(
  db: OrgDb,
  { apps, status, user, nowOf, after }: AsOfFilter,
  moment: Moment,
  limit: number,
): Promise<AccountsAsOf> {
  const at = atOf(moment);
  const parts: RawBuilder<unknown>[] = [sql`a.org_id = ${db.orgId}`];
  if (apps?.length === 1) parts.push(sql`a.app_id = ${apps[0]}`);
  else if (apps !== null) parts.push(sql`a.app_id = any(${apps}::uuid[])`);
  if (nowOf !== null) parts.push(sql`a.user_id = ${nowOf}`);
  if (after !== null) parts.push(sql`a.id > ${after}`);
  if (user !== null)
    parts.push(sql`a.id = any(array(
      select ul.account_id from ${accountLinks(db)} ul where ul.user_id = ${user} and ${isLinked('ul', at)}))`);
  // Read twice: as a subquery, its order lets the search end with the page.
  const candidates = sql`
    select a.org_id, a.id from account a where ${sql.join(parts, sql` and `)}
    order by a.org_id, a.id limit ${LOOKED_AT}`;
  const rows = await many<{ looked_at: number; last: string | null; ids: string[] }>(db)`
    with looked_at as materialized (${candidates}),
    page as (
      select a.id from (${candidates}) a cross join lateral ${stateOf(db, moment)} s
      where ${status === undefined ? sql`true` : sql`s.status = ${status}`}
      order by a.id limit ${limit + 1}
    )
    select (select count(*) from looked_at) as looked_at, (select id from looked_at order by id desc limit 1) as last,
      array(select id::text from page order by id) as ids`;
  const found = rows[0] as NonNullable<(typeof rows)[0]>;
  const ids = found.ids.slice(0, limit);
  const results = await many<AccountAsOf>(db)`
    select ${view(db, moment)} from account a ${joined(db, moment)}
    where a.org_id = ${db.orgId} and a.id = any(${ids}::uuid[])
    order by a.id`;
  const next =
    found.ids.length > limit ? (ids.at(-1) ?? null) : found.looked_at === LOOKED_AT ? found.last : null;
  return { results, next };
}

/** Whether the organization has this person, or had an account that belonged to them. */
export const isKnownPerson = (db: OrgDb, userId: string) => exists(db)`
    select from platform_user u where u.org_id = ${db.orgId} and u.id = ${userId}::uuid
    union all
    (select from ${accountLinks(db)} l where l.user_id = ${userId}::uuid limit 1)`;
