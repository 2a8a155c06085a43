import type { OrgTx } from '#kit/database.ts';
import { many, one, type RawBuilder, sql, value, values } from '#kit/sql.ts';
import { personAt } from '../../history/link-facts.ts';
import { stateColumns } from '../../history/queries/periods.ts';
import { rowsOf } from '../../publication/queries/relations.ts';
import type { Scope } from '../../publication/relations.ts';
import type { RevertCounts } from '../../sessions/session.ts';
import { changedEntitlement, changedLink, changedMembership, changedState } from '../relations.ts';

/** The changes that a session made: its publication and its removal. */
export interface SessionChanges {
  ids: string[];
  /** When it was published, as SQL: in the microseconds that a Date would lose. */
  at: RawBuilder<unknown>;
  /** When its publication had written everything, as SQL. */
  publishedAt: RawBuilder<unknown>;
}

/** Returns the ids of the changes of a session, its publication first. Empty for a session that is not in the history. */
export const changesOf = (tx: OrgTx, { orgId, sessionId }: Scope) => values<string>(tx)`
    select id from inventory_change
    where org_id = ${orgId} and source_id = ${sessionId} and kind in ('sync', 'abandoned_sync', 'removal')
    order by at`;

/** The time of a change, as SQL. */
export const timeOf = (orgId: string, changeId: string): RawBuilder<unknown> =>
  sql`(select ic.at from inventory_change ic where ic.org_id = ${orgId} and ic.id = ${changeId})`;

/** Returns whether the states before a change are still kept (organization.history_days). */
export async function isKept(tx: OrgTx, at: RawBuilder<unknown>): Promise<boolean> {
  return (
    (await value<boolean | undefined>(tx)`
    select history_days is null or ${at} > now() - make_interval(days => history_days) as kept
    from organization where id = ${tx.orgId}`) ?? false
  );
}

/** Returns the number of the app's publications since then that have not been reverted. */
export const laterPublications = (
  tx: OrgTx,
  { orgId, appId }: Scope,
  at: RawBuilder<unknown>,
) => value<number>(tx)`
    select count(*) as n from inventory_change
    where org_id = ${orgId} and app_id = ${appId} and started_at is not null and at > ${at}
      and reverted_at is null`;

/**
 * Selects the rows of changedState. `touched` are accounts that tasks have changed since. A state is left out if it
 * already is as it was before the session.
 */
export const selectStates = (
  { orgId, appId }: Scope,
  { ids, at }: SessionChanges,
  touched: string[],
): RawBuilder<unknown> => sql`
  with concerned as (
    select id from account where org_id = ${orgId} and app_id = ${appId} and change_id = any(${ids}::uuid[])
    union
    select account_id from account_period
    where org_id = ${orgId} and known_to is null
      and (ended_by = any(${ids}::uuid[]) or began_by = any(${ids}::uuid[]))
  ), former as (
    select distinct on (account_id) account_id, id, ${stateColumns()} from account_period
    where org_id = ${orgId} and ended_by = any(${ids}::uuid[]) and known_to is null
      and not coalesce(began_by = any(${ids}::uuid[]), false)
    order by account_id, ended_at
  ), found as (
    select a.id, case when f.id is null then 'remove' else 'restore' end as undo, f.id as former_id,
      case
        when a.id = any(${touched}::uuid[]) or coalesce(a.tasked_at > ${at}, false) then 'task'
        when not coalesce(a.change_id = any(${ids}::uuid[]), false) then 'changed'
        when f.id is null and exists (
          select from membership m
          where m.org_id = ${orgId} and m.account_id = a.id
            and (not coalesce(m.change_id = any(${ids}::uuid[]), false) or m.tasked_at > ${at})) then 'membership'
      end as conflict,
      case when f.id is null then a.removed_at is not null
        else a.removed_at is null and (${stateColumns('a.')}) is not distinct from (${stateColumns('f.')}) end as is_same
    from concerned c
    join account a on a.org_id = ${orgId} and a.id = c.id
    left join former f on f.account_id = a.id
  )
  select id, undo,
    -- An account that had been removed before gets back the attributes that it had then.
    coalesce(former_id, (
      select p.id from account_period p
      where p.org_id = ${orgId} and p.account_id = found.id and p.known_to is null and p.ended_at < ${at}
      order by p.ended_at desc limit 1)),
    conflict
  from found where not is_same`;

/** Whether an account must stay as it is: its state is in conflict, or a task has changed it since. */
const isBlocked = (scope: Scope, account: RawBuilder<unknown>, touched: string[]) => sql`(
  ${account} = any(${touched}::uuid[])
  or exists (select from ${rowsOf(scope, changedState)} s where s.account_id = ${account} and s.conflict is not null))`;

/**
 * Selects the rows of changedLink. Publications do not record their links: the person before and the one after the session
 * was published tell. A link that the revert of a later session has brought back counts like the one that it had changed.
 */
export const selectLinks = (
  scope: Scope,
  { at, publishedAt }: SessionChanges,
  touched: string[],
): RawBuilder<unknown> => sql`
  select s.account_id, person.id,
    case when ${isBlocked(scope, sql`s.account_id`, touched)} then 'account'
      when a.user_linked_by_hand or a.user_id is distinct from link.after then 'link' end
  from ${rowsOf(scope, changedState)} s
  join account a on a.org_id = ${scope.orgId} and a.id = s.account_id
  cross join lateral (
    select ${personAt(scope, sql`a.id`, sql`${at} - interval '1 microsecond'`)} as before,
      ${personAt(scope, sql`a.id`, publishedAt)} as after
    offset 0
  ) link
  left join platform_user person on person.org_id = ${scope.orgId} and person.id = link.before
  where link.before is distinct from link.after and person.id is distinct from a.user_id`;

/** Selects the rows of changedMembership. Memberships that are as they were before the session are left out. */
export const selectMemberships = (
  scope: Scope,
  { ids, at }: SessionChanges,
  touched: string[],
): RawBuilder<unknown> => sql`
  select m.account_id, m.entitlement_id, null::uuid,
    case when ${isBlocked(scope, sql`m.account_id`, touched)} then 'account'
      when m.tasked_at > ${at} then 'task' end
  from account a join membership m on m.org_id = ${scope.orgId} and m.account_id = a.id
  where a.org_id = ${scope.orgId} and a.app_id = ${scope.appId} and m.change_id = any(${ids}::uuid[])
  union all
  select p.account_id, p.entitlement_id, p.id,
    case when ${isBlocked(scope, sql`p.account_id`, touched)} then 'account'
      when a.removed_at is not null and not exists (
        select from ${rowsOf(scope, changedState)} s where s.account_id = a.id and s.undo = 'restore') then 'account'
      when exists (
        select from membership_period later
        where later.org_id = ${scope.orgId} and later.account_id = p.account_id
          and later.entitlement_id = p.entitlement_id and later.ended_at > p.ended_at and later.known_to is null
          and not coalesce(later.began_by = any(${ids}::uuid[]), false)) then 'changed' end
  from (
    select distinct on (account_id, entitlement_id) id, account_id, entitlement_id, ended_at
    from membership_period
    where org_id = ${scope.orgId} and ended_by = any(${ids}::uuid[]) and known_to is null
      and not coalesce(began_by = any(${ids}::uuid[]), false)
    order by account_id, entitlement_id, ended_at
  ) p
  join account a on a.org_id = ${scope.orgId} and a.id = p.account_id
  where not exists (
    select from membership m
    where m.org_id = ${scope.orgId} and m.account_id = p.account_id and m.entitlement_id = p.entitlement_id
      and not coalesce(m.change_id = any(${ids}::uuid[]), false))`;

export async function countRevert(tx: OrgTx, scope: Scope): Promise<RevertCounts> {
  return (await one<RevertCounts>(tx)`
    select
      (select jsonb_build_object('removed', count(*) filter (where undo = 'remove'),
        'restored', count(*) filter (where undo = 'restore')) from ${rowsOf(scope, changedState)} where conflict is null)
        as accounts,
      (select count(*) from ${rowsOf(scope, changedLink)} where conflict is null) as links,
      (select jsonb_build_object('added', count(*) filter (where period_id is not null),
        'removed', count(*) filter (where period_id is null)) from ${rowsOf(scope, changedMembership)}
        where conflict is null) as memberships,
      (select count(*) from ${rowsOf(scope, changedEntitlement)}) + (
        select count(*) from entitlement e where ${isReturning(scope)} and not e.active and not exists (
          select from ${rowsOf(scope, changedEntitlement)} w where w.entitlement_id = e.id)) as resources`) as RevertCounts;
}

/** Whether a membership of entitlement `e` comes back. */
export const isReturning = (scope: Scope): RawBuilder<unknown> => sql`
  e.org_id = ${scope.orgId} and e.id in (
    select entitlement_id from ${rowsOf(scope, changedMembership)} where period_id is not null and conflict is null)`;

/** Returns the accounts whose state will be brought back. */
export const accountsToRevert = (tx: OrgTx, scope: Scope) => values<string>(tx)`
    select account_id from ${rowsOf(scope, changedState)} where conflict is null`;

/** A record that has changed since the session, so that it stays as it is. */
export interface Conflict {
  type: 'account' | 'link' | 'membership';
  account: { id: string; email: string; display_name: string; external_id: string | null };
  resource: { type: 'group' | 'license'; slug: string; id: string; name: string } | null;
  reason: string;
}

const REASON = {
  task: 'A task has changed it since.',
  changed: 'It has changed since.',
  membership: 'The account was given other groups or licenses since.',
  account: 'The account has changed since.',
  link: 'The link to the person has changed since.',
};

/** Returns the number of conflicts and the first `limit`. */
export async function conflictsOf(
  tx: OrgTx,
  scope: Scope,
  limit: number,
): Promise<{ count: number; results: Conflict[] }> {
  const rows = await many<Omit<Conflict, 'reason'> & { conflict: keyof typeof REASON; n: number }>(tx)`
    with found as (
      select 'account' as type, account_id, null::uuid as entitlement_id, conflict
      from ${rowsOf(scope, changedState)} where conflict is not null
      union all
      select 'link', account_id, null, conflict from ${rowsOf(scope, changedLink)} where conflict is not null
      union all
      select 'membership', account_id, entitlement_id, conflict
      from ${rowsOf(scope, changedMembership)} where conflict is not null
    ), page as (
      select *, count(*) over () as n from found order by account_id, type, entitlement_id limit ${limit}
    )
    select page.type, page.conflict, page.n,
      jsonb_build_object('id', a.id, 'email', a.email, 'display_name', a.display_name, 'external_id', a.external_id)
        as account,
      case when e.id is not null then
        jsonb_build_object('type', t.type, 'slug', t.slug, 'id', e.external_id, 'name', e.name) end as resource
    from page
    join account a on a.org_id = ${scope.orgId} and a.id = page.account_id
    left join entitlement e on e.org_id = ${scope.orgId} and e.id = page.entitlement_id
    left join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
    order by page.account_id, page.type, page.entitlement_id`;
  return {
    count: rows[0]?.n ?? 0,
    results: rows.map(({ type, account, resource, conflict }) => ({
      type,
      account,
      resource,
      reason: REASON[conflict],
    })),
  };
}
