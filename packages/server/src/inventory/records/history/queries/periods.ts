import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import type { Change } from '../change.ts';

/*
 * Fragments of the statements that change accounts and memberships. A row is the open period of its state. A statement
 * that changes the state sets where the new period begins, and copies the ended one to the history:
 *
 *   with changed as (update account a set ..., ${beginState(change, differs)} where ... returning ${endedState}),
 *     ended as (${keepStates(change, sql`changed`)})
 */

/** A column of the change, as SQL. */
export const columnOf = ({ orgId, id }: Change, column: string): RawBuilder<unknown> =>
  sql`(select ic.${sql.ref(column)} from inventory_change ic where ic.org_id = ${orgId} and ic.id = ${id})`;

/** Where the period of a new row begins: the values of `since` or `granted_at`, `not_before` and `change_id`. */
export const beginningOf = (change: Change): RawBuilder<unknown> =>
  sql`${columnOf(change, 'at')}, ${columnOf(change, 'not_before')}, ${change.id}::uuid`;

/**
 * When account `a` was last known to be in another state than the one that begins now: when the former state was last
 * seen, or since it was removed. A pending account proves nothing, because an account that Gatehouse has not seen yet may
 * exist. Then the end of its last existence counts.
 */
const knownOtherwise = (change: Change) => sql`case
  when a.removed_at is not null then a.since
  when a.status <> 'NEW' and (a.status <> 'INACTIVE' or a.external_id is not null) then ${formerSeenUntil(change)}
  else (
    select max(p.gone_by) from account_period p
    where p.org_id = ${change.orgId} and p.account_id = a.id and p.status <> 'NEW' and p.known_to is null)
  end`;

/** Assignments of an update of `account a` that begin a period if `differs`: the account gets another state. */
export const beginState = (change: Change, differs: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  since = case when ${differs} then greatest(${columnOf(change, 'at')}, a.since, a.tasked_at) else a.since end,
  not_before = case when ${differs} then greatest(${columnOf(change, 'not_before')}, ${knownOtherwise(change)}) else a.not_before end,
  change_id = case when ${differs} then ${change.id}::uuid else a.change_id end,
  known_from = case when ${differs} then null else a.known_from end`;

/** The same for accounts that are removed. They are known to be gone since then. */
export const beginAbsence = (change: Change): RawBuilder<unknown> => sql`
  since = greatest(${columnOf(change, 'gone_by')}, ${formerSeenUntil(change)}),
  not_before = null, change_id = ${change.id}::uuid, known_from = null`;

/**
 * Assignments of an update of `account a` to which a duplicate is merged: its period is the one that the change has just
 * ended for the duplicate.
 */
export const takeOverState = (change: Change, duplicateId: RawBuilder<unknown>): RawBuilder<unknown> => {
  const was = (name: string) => sql`(
    select ${sql.ref(`p.${name}`)} from account_period p
    where p.org_id = ${change.orgId} and p.account_id = ${duplicateId} and p.ended_by = ${change.id})`;
  return sql`since = ${was('since')}, not_before = ${was('not_before')}, change_id = ${was('began_by')},
    known_from = ${columnOf(change, 'at')}`;
};

/**
 * When a period that a change ends was last seen. Our own changes are exact. A task that touched the row is otherwise the
 * newest sighting, since a sync that sees the row clears `tasked_at`.
 */
const seenUntil = (
  appId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
  lastSync: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
  taskedAt: RawBuilder<unknown>,
) =>
  sql`greatest(${since}, case when ${appId} is null then ${at} else coalesce(${taskedAt}, ${lastSync}) end)`;

/** When the present state of `account a`, which the change ends, was last seen. */
const formerSeenUntil = (change: Change) =>
  seenUntil(
    columnOf(change, 'app_id'),
    columnOf(change, 'at'),
    columnOf(change, 'seen_until'),
    sql`a.since`,
    sql`a.tasked_at`,
  );

/** Accounts that exist: not removed, and not one whose creation failed (accountExists in facts.ts). */
const existed = sql`(old.removed_at is null and (old.status <> 'INACTIVE' or old.external_id is not null))`;

const STATE = [
  'resource_type_id',
  'external_id',
  'email',
  'username',
  'first_name',
  'last_name',
  'display_name',
  'status',
] as const;

/** The columns of an account's state. The prefix can name a table. */
export const stateColumns = (prefix = '') => sql.join(STATE.map((name) => sql.ref(`${prefix}${name}`)));

/** The former state, for the `returning` of an update of `account`. */
export const endedState = sql`
  ${existed} and (${stateColumns('old.')}, old.removed_at is null) is distinct from (${stateColumns('new.')}, new.removed_at is null)
    as was_ended,
  ${sql.join(STATE.map((name) => sql`old.${sql.ref(name)} as ${sql.ref(`was_${name}`)}`))},
  old.id as was_id, old.app_id as was_app_id, old.since as was_since, old.not_before as was_not_before,
  old.known_from as was_known_from, old.tasked_at as was_tasked_at, old.change_id as was_change_id, old.given as was_given`;

/** Copies the ended states among the rows of `changed` to the history. With `retracted`, they count as recorded by mistake. */
export const keepStates = (
  { orgId, id }: Change,
  changed: RawBuilder<unknown>,
  { retracted = false } = {},
): RawBuilder<unknown> => sql`
  insert into account_period (org_id, account_id, app_id, ${stateColumns()}, given, not_before, since, seen_until, gone_by,
    known_from, ended_at, known_to, began_by, ended_by)
  select x.org_id, w.was_id, w.was_app_id, ${stateColumns('w.was_')}, w.was_given, w.was_not_before, w.was_since, s.seen_until,
    s.gone_by, k.known_from, k.ended_at, case when ${retracted} then k.ended_at end,
    w.was_change_id, x.id
  from ${changed} w
  join inventory_change x on x.org_id = ${orgId} and x.id = ${id}
  cross join lateral (
    select seen_until, greatest(x.gone_by, seen_until) as gone_by
    from (select ${seenUntil(sql`x.app_id`, sql`x.at`, sql`x.seen_until`, sql`w.was_since`, sql`w.was_tasked_at`)} as seen_until)
  ) s
  cross join lateral (
    select f.known_from, greatest(x.at, s.gone_by, f.known_from) as ended_at
    from (select coalesce(w.was_known_from, w.was_since) as known_from) f
  ) k
  where w.was_ended and w.was_change_id is distinct from x.id`;

/**
 * Selects the columns of new memberships (org_id to change_id, and via_id) of an app from
 * `wanted (account_id, entitlement_id, via_id)`. A
 * membership that a task has taken away since the last sync was absent at that time.
 */
export const selectNewMemberships = (
  change: Change,
  appId: string,
  wanted: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select x.org_id, n.account_id, n.entitlement_id, greatest(x.at, g.gone_by), greatest(x.not_before, g.gone_by), x.id,
    n.via_id
  from (${wanted}) n
  join inventory_change x on x.org_id = ${change.orgId} and x.id = ${change.id}
  left join (
    select p.account_id, p.entitlement_id, max(p.gone_by) as gone_by from membership_period p
    where p.org_id = ${change.orgId} and p.app_id = ${appId} and p.known_to is null
      and p.ended_at > coalesce(${columnOf(change, 'not_before')}, '-infinity')
    group by 1, 2
  ) g on g.account_id = n.account_id and g.entitlement_id = n.entitlement_id`;

/** A deleted membership, for the `returning` of a delete from `membership`. */
export const endedMembership = sql`
  old.account_id as was_account_id, old.entitlement_id as was_entitlement_id, old.granted_at as was_since,
  old.not_before as was_not_before, old.known_from as was_known_from, old.tasked_at as was_tasked_at,
  old.seen_until as was_seen_until, old.change_id as was_change_id, old.via_id as was_via_id,
  old.via_since as was_via_since, old.given as was_given`;

/** Copies the rows of `deleted` to the history. With `retracted`, they count as recorded by mistake. */
export const keepMemberships = (
  { orgId, id }: Change,
  deleted: RawBuilder<unknown>,
  { retracted = false } = {},
): RawBuilder<unknown> => sql`
  insert into membership_period (org_id, account_id, entitlement_id, app_id, not_before, since, seen_until, gone_by,
    known_from, ended_at, known_to, began_by, ended_by, via_id, via_since, given)
  select x.org_id, w.was_account_id, w.was_entitlement_id, e.app_id, w.was_not_before, w.was_since, s.seen_until,
    s.gone_by, k.known_from, k.ended_at, case when ${retracted} then k.ended_at end,
    w.was_change_id, x.id, w.was_via_id, w.was_via_since, w.was_given
  from ${deleted} w
  join inventory_change x on x.org_id = ${orgId} and x.id = ${id}
  join entitlement e on e.org_id = x.org_id and e.id = w.was_entitlement_id
  cross join lateral (
    select seen_until, greatest(x.gone_by, seen_until) as gone_by
    from (select ${seenUntil(sql`x.app_id`, sql`x.at`, sql`least(w.was_seen_until, x.seen_until)`, sql`w.was_since`, sql`w.was_tasked_at`)} as seen_until)
  ) s
  cross join lateral (
    select f.known_from, greatest(x.at, s.gone_by, f.known_from) as ended_at
    from (select coalesce(w.was_known_from, w.was_since) as known_from) f
  ) k`;

/** The value of `linked_at` for `account a` where a change of the inventory links it to another person. */
export const linkedBy = (change: Change): RawBuilder<unknown> =>
  sql`greatest(${columnOf(change, 'at')}, a.linked_at)`;

/** The same for links that are made without a change of the inventory. */
export const linkedNow = sql`greatest(clock_now(), a.linked_at)`;

/** The former link, for the `returning` of an update of `account`. A link as old as the account has no beginning. */
export const endedLink = sql`
  old.id as linked_id, old.user_id as former_user_id, new.user_id as present_user_id,
  coalesce(old.linked_at, '-infinity') as linked_since, new.linked_at as relinked_at`;

/** Copies the ended links among the rows of `changed` to the history. */
export const keepLinks = (org: Org, changed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into account_link_period (org_id, account_id, user_id, since, ended_at)
  select ${org.orgId}::uuid, linked_id, former_user_id, linked_since, relinked_at
  from ${changed}
  where former_user_id is not null and former_user_id is distinct from present_user_id`;
