import { type RawBuilder, sql } from '#kit/sql.ts';
import type { Change } from '../change.ts';
import { columnOf } from './periods.ts';

/*
 * Fragments of the statements that change entitlements (periods.ts). An active row is the open period of its name; an
 * inactive one is an absence.
 */

/**
 * When a state that a change ends was last seen: by the last sync, or before that by a task if the sync did not see it.
 * Tasks do not change entitlements.
 */
const seenUntil = (
  lastSync: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
  taskedAt: RawBuilder<unknown>,
) => sql`greatest(${since}, least(${taskedAt}, ${lastSync}))`;

/** When the present state of `entitlement e`, which the change ends, was last seen. */
const formerSeenUntil = (change: Change) =>
  seenUntil(columnOf(change, 'seen_until'), sql`e.since`, sql`e.tasked_at`);

/** Assignments of an update of `entitlement e` that begin a period if `differs`: it gets another name or returns. */
export const beginEntitlement = (change: Change, differs: RawBuilder<unknown>): RawBuilder<unknown> => {
  const begins = (value: RawBuilder<unknown>, column: string) =>
    sql`${sql.ref(column)} = case when ${differs} then ${value} else e.${sql.ref(column)} end`;
  return sql.join([
    begins(sql`greatest(${columnOf(change, 'at')}, e.since)`, 'since'),
    begins(
      sql`greatest(${columnOf(change, 'not_before')}, case when e.active then ${formerSeenUntil(change)} else e.since end)`,
      'not_before',
    ),
    begins(sql`${change.id}::uuid`, 'change_id'),
    begins(sql`null`, 'known_from'),
  ]);
};

/** The same for entitlements that are removed. They are known to be gone since then. */
export const beginEntitlementAbsence = (change: Change): RawBuilder<unknown> => sql`
  since = greatest(${columnOf(change, 'gone_by')}, ${formerSeenUntil(change)}),
  not_before = null, change_id = ${change.id}::uuid, known_from = null, tasked_at = null`;

/** The former state, for the `returning` of an update of `entitlement`. */
export const endedEntitlement = sql`
  old.active and (old.name, true) is distinct from (new.name, new.active) as was_ended, old.id as was_id,
  old.app_id as was_app_id, old.name as was_name, old.since as was_since, old.not_before as was_not_before,
  old.known_from as was_known_from, old.tasked_at as was_tasked_at, old.change_id as was_change_id`;

/** Copies the ended states among the rows of `changed` to the history. With `retracted`, they count as recorded by mistake. */
export const keepEntitlements = (
  { orgId, id }: Change,
  changed: RawBuilder<unknown>,
  { retracted = false } = {},
): RawBuilder<unknown> => sql`
  insert into entitlement_period (org_id, entitlement_id, app_id, name, not_before, since, seen_until, gone_by,
    known_from, ended_at, known_to, began_by, ended_by)
  select x.org_id, w.was_id, w.was_app_id, w.was_name, w.was_not_before, w.was_since, s.seen_until, s.gone_by,
    k.known_from, k.ended_at, case when ${retracted} then k.ended_at end, w.was_change_id, x.id
  from ${changed} w
  join inventory_change x on x.org_id = ${orgId} and x.id = ${id}
  cross join lateral (
    select seen_until, greatest(x.gone_by, seen_until) as gone_by
    from (select ${seenUntil(sql`x.seen_until`, sql`w.was_since`, sql`w.was_tasked_at`)} as seen_until)
  ) s
  cross join lateral (
    select f.known_from, greatest(x.at, s.gone_by, f.known_from) as ended_at
    from (select coalesce(w.was_known_from, w.was_since) as known_from) f
  ) k
  where w.was_ended and w.was_change_id is distinct from x.id`;
