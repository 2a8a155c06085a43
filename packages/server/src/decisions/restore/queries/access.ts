import type { AccountStatus } from '#inventory/records/accounts/account.ts';
import { accounts, entitlements, memberships } from '#inventory/records/accounts/facts.ts';
import { isKnownAt, NOW } from '#inventory/records/history/change-facts.ts';
import {
  accountStates,
  entitlementStates,
  isCertain,
  isPossible,
  membershipPeriods,
} from '#inventory/records/history/facts.ts';
import { accountLinks } from '#inventory/records/history/link-facts.ts';
import { bestFirst } from '#inventory/records/history/period-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { todayOf } from '#kit/identity.ts';
import { many, type RawBuilder, sql, value, values } from '#kit/sql.ts';
import { changedEntitlements, openTasks } from '#work/provisioning/facts.ts';
import type { Action } from '#work/provisioning/task.ts';
import type { Certainty, Coverage } from '../schemas.ts';

/** The accounts whose access is restored: those of people, these, or all of an app. */
export type Scope = { users: string[] } | { accounts: string[] } | { app: string };

const time = (asOf: string) => sql`${asOf}::timestamptz`;

/** Whether all of these accounts exist, in any state. */
export async function accountsExist(db: OrgDb, ids: string[]): Promise<boolean> {
  const n = await value<number>(db)`
    select count(*) as n from ${accounts} a where a.org_id = ${db.orgId} and a.id = any(${ids}::uuid[])`;
  return n === new Set(ids).size;
}

/** Returns the accounts that belonged at a time to people, or to those who were merged into them since. */
export async function accountsLinkedAt(db: OrgDb, users: string[], asOf: string): Promise<string[]> {
  const at = time(asOf);
  return values<string>(db)`
    select distinct l.account_id from ${accountLinks(db)} l
    where l.user_id in (
        select u.id from platform_user u
        where u.org_id = ${db.orgId} and (u.id = any(${users}::uuid[]) or u.merged_into = any(${users}::uuid[])))
      and l.since <= ${at} and (l.ended_at is null or ${at} < l.ended_at)`;
}

/** Returns whether the access of apps was known at a time: these, or all that are not archived. */
export const coverageOf = (db: OrgDb, appIds: string[] | null, asOf: string) => many<Coverage>(db)`
    select jsonb_build_object('id', p.id, 'name', p.name) as app, ${isKnownAt(db, sql`p.id`, time(asOf))} as known
    from app p
    where p.org_id = ${db.orgId}
      and case when ${appIds}::uuid[] is null then p.archived_at is null else p.id = any(${appIds}::uuid[]) end
    order by p.name, p.id`;

/** An account as it was then, and as it is now. */
export interface FormerAccount {
  account_id: string;
  app_id: string;
  app_name: string;
  app_archived: boolean;
  resource_type_id: string;
  email: string;
  display_name: string;
  external_id: string | null;
  status: AccountStatus;
  given: boolean;
  certainty: Certainty;
  /** The person then, or who remains after a merge. Null: nobody. */
  person_id: string | null;
  /** The person to whom it belongs now. */
  present_user_id: string | null;
  present_status: AccountStatus;
}

const chosen = (column: string, ids: readonly string[]) => sql`${sql.ref(column)} = any(${ids}::uuid[])`;

const within = (alias: string, scope: { app: string } | { accounts: string[] }): RawBuilder<unknown> =>
  'app' in scope
    ? sql`${sql.ref(`${alias}.app_id`)} = ${scope.app}`
    : chosen(`${alias}.account_id`, scope.accounts);

/** Returns the accounts that existed at a time, each in its certain state then, or else in the one last seen before. */
export async function accountsAt(
  db: OrgDb,
  scope: { app: string } | { accounts: string[] },
  asOf: string,
): Promise<FormerAccount[]> {
  const at = time(asOf);
  return many<FormerAccount>(db)`
    with state as materialized (
      select distinct on (s.account_id) s.account_id, s.app_id, s.resource_type_id, s.email, s.display_name, s.external_id, s.status, s.given,
        case when ${isCertain('s', at)} then 'certain' else 'possible' end as certainty
      from ${accountStates(db, NOW, at)} s
      where ${within('s', scope)} and s.status <> 'NEW' and ${isPossible('s', at)}
      order by s.account_id, ${isCertain('s', at)} desc, ${bestFirst('s', at)}
    ), link as materialized (
      select distinct on (l.account_id) l.account_id, l.user_id from ${accountLinks(db)} l
      where l.account_id in (select account_id from state)
        and l.since <= ${at} and (l.ended_at is null or ${at} < l.ended_at)
      order by l.account_id, l.since desc
    )
    select state.*, p.name as app_name, p.archived_at is not null as app_archived, coalesce(u.merged_into, link.user_id) as person_id,
      a.user_id as present_user_id, a.status as present_status
    from state
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = state.account_id
    join app p on p.org_id = ${db.orgId} and p.id = state.app_id
    left join link on link.account_id = state.account_id
    left join platform_user u on u.org_id = ${db.orgId} and u.id = link.user_id
    order by state.app_id, state.account_id`;
}

export interface FormerMembership {
  account_id: string;
  entitlement_id: string;
  type: 'group' | 'license';
  slug: string;
  id: string;
  name: string;
  active: boolean;
  /** Whether it has another name now. */
  renamed: boolean;
  given: boolean;
  certainty: Certainty;
  /** The id of what gave it. Null: it was given directly. */
  via: string | null;
}

/** Returns the groups and licenses that accounts held at a time. */
export async function membershipsAt(
  db: OrgDb,
  scope: { app: string } | { accounts: string[] },
  asOf: string,
): Promise<FormerMembership[]> {
  const at = time(asOf);
  return many<FormerMembership>(db)`
    with held as materialized (
      select m.account_id, m.entitlement_id, bool_or(${isCertain('m', at)}) as certain, bool_and(m.given) as given,
        case when bool_and(m.via_id is not null) then min(m.via_id::text) end as via
      from ${membershipPeriods(db, NOW, at)} m
      where ${within('m', scope)} and ${isPossible('m', at)}
      group by 1, 2
    ), name as materialized (
      select distinct on (s.entitlement_id) s.entitlement_id, s.name
      from ${entitlementStates(db, NOW, at)} s
      where s.entitlement_id in (select entitlement_id from held) and ${isPossible('s', at)}
      order by s.entitlement_id, ${isCertain('s', at)} desc, ${bestFirst('s', at)}
    )
    select held.account_id, held.entitlement_id, e.type, e.slug, e.external_id as id, e.name, e.active,
      coalesce(name.name <> '' and name.name <> e.name, false) as renamed, held.given,
      case when held.certain then 'certain' else 'possible' end as certainty, held.via
    from held join ${entitlements} e on e.org_id = ${db.orgId} and e.id = held.entitlement_id
    left join name on name.entitlement_id = held.entitlement_id
    order by held.account_id, e.type, e.slug, e.external_id`;
}

export interface PresentPerson {
  id: string;
  email: string;
  status: 'active' | 'deactivated';
  /** Whether their last day has passed. */
  has_ended: boolean;
}

export async function peopleNow(db: OrgDb, ids: string[]): Promise<Map<string, PresentPerson>> {
  const rows = await many<PresentPerson>(db)`
    select id, email, status, coalesce(end_date < ${todayOf(db)}, false) as has_ended
    from platform_user where org_id = ${db.orgId} and ${chosen('id', ids)}`;
  return new Map(rows.map((person) => [person.id, person]));
}

/** An account now: its status, the ids of what it holds, and its open tasks. */
export interface PresentAccount {
  id: string;
  resource_type_id: string;
  status: AccountStatus;
  held: string[];
  open: { action: Action; added: string[] }[];
}

export async function accountsNow(db: OrgDb, ids: string[]): Promise<Map<string, PresentAccount>> {
  const rows = await many<PresentAccount>(db)`
    select a.id, a.resource_type_id, a.status,
      array(select m.entitlement_id::text from ${memberships} m where m.org_id = ${db.orgId} and m.account_id = a.id) as held,
      coalesce((
        select jsonb_agg(jsonb_build_object('action', t.action, 'added', to_jsonb(${changedEntitlements(db, 't', true)})))
        from ${openTasks} t where t.org_id = ${db.orgId} and t.account_id = a.id), '[]') as open
    from ${accounts} a where a.org_id = ${db.orgId} and ${chosen('a.id', ids)}`;
  return new Map(rows.map((account) => [account.id, account]));
}
