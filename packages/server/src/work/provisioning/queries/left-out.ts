import {
  entitlements,
  giversOf,
  holds,
  holdsDirectly,
  isOwnAccount,
  lostWith,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import { grants, isNeeded, isOpen } from '#reasons/grants/facts.ts';
import { PRECONDITIONS, personIsAsDecided, wouldBeEmpty } from './preconditions/index.ts';
import { WAIT_SECONDS } from './update.ts';

/** A change of a task that is no longer what was decided. */
export interface Outdated {
  task_id: string;
  entitlement_id: string;
  added: boolean;
  /** The external id. */
  id: string;
  /** The name at the time of the decision. Empty for a placeholder (D18). */
  name: string;
  current_name: string;
  active: boolean;
  /** The group without members that the removal would leave, whose risk is high, and no person decided it (D66). */
  last_of: string | null;
  /** The group or license that gives what the task would remove (D68). */
  given_by: string | null;
  /** Whether a later decision has ended what it would give. */
  revoked: boolean;
  /** Whether the time of what it would give is over. */
  is_over: boolean;
  /** Whether the task creates an account that a decision still wants. */
  creates_wanted: boolean;
  /** How many changes the task still has, with this one. */
  of: number;
}

/**
 * The group whose last member change `c` removes without a person's decision, although its risk is high (D66): the one of the
 * change, or one that comes through it (D68).
 */
const lastOf = (org: Org) => sql`(case when t.preconditions @> '[{"kind": "not_last_member"}]' then (
  select coalesce(nullif(e.name, ''), e.external_id)
  from ${lostWith(org, sql`t.account_id`, sql`c.entitlement_id`)} lost
  join ${entitlements} e on e.org_id = ${org.orgId} and e.id = lost.id
  where ${wouldBeEmpty(org, sql`t.account_id`)}
  order by e.id <> c.entitlement_id, 1 limit 1) end)`;

/**
 * The group or license that gives what change `c` would remove, so that its connector cannot (D68). Null if the task removes what gives
 * it as well.
 */
const givenBy = (
  org: Org,
) => sql`(case when not c.added and t.preconditions @> '[{"kind": "not_derived"}]' then (
  select coalesce(nullif(giver.name, ''), giver.external_id)
  from ${memberships} m
  join ${entitlements} giver on giver.org_id = ${org.orgId} and giver.id = m.via_id
  where m.org_id = ${org.orgId} and m.account_id = t.account_id and m.entitlement_id = c.entitlement_id
    and not exists (
      select from task_change s
      where s.org_id = ${org.orgId} and s.task_id = t.id and not s.added and not s.spared
        and s.entitlement_id in (select g.id from ${giversOf(org, 'm')} g)
        and ${holdsDirectly(sql`${org.orgId}`, sql`t.account_id`, sql`s.entitlement_id`)})) end)`;

/** Whether grant `over` ended because its time is over. */
const isOver = sql<boolean>`(over.ended_at is null and over.ends_at <= clock_now())`;

/** Whether grant `over` ended by a decision since task `t`. */
const isRevoked = sql<boolean>`(over.recorded_at >= t.created_at and over.ended_at is not null and over.ended_kind <> 'sync')`;

/** Whether the grant on what change `c` adds has ended like this, and nothing else grants it, now or later (D73). */
const hasEnded = ({ orgId }: Org, how: RawBuilder<boolean>) => sql`(c.added and exists (
  select from ${grants} over
  where over.org_id = ${orgId} and over.account_id = t.account_id and over.entitlement_id = c.entitlement_id and ${how})
  and not exists (
    select from ${grants} own
    where own.org_id = ${orgId} and own.account_id = t.account_id and own.entitlement_id = c.entitlement_id and ${isOpen('own')}))`;

/** Whether task `t` creates an account whose time is over, and in which no decision wants anything, now or later (D74). */
const createsUnwanted = ({ orgId }: Org) => sql<boolean>`(t.action = 'create_account' and exists (
  select from ${grants} over
  where over.org_id = ${orgId} and over.account_id = t.account_id and over.entitlement_id is null and ${isOver})
  and not ${isNeeded(sql`${orgId}`, sql`t.account_id`)})`;

/**
 * Change `c` of task `t` adds or removes entitlement `e`, which is gone or has another name now, is given by something else, or has its last member. `given` and `last`: givenBy and lastOf, or columns with their values.
 */
const isOutdated = (org: Org, given = givenBy(org), last = lastOf(org)) => sql`(case when c.added
  then not e.active or (c.name <> '' and e.name <> c.name) or ${hasEnded(org, sql<boolean>`(${isRevoked} or ${isOver})`)}
  else (not e.active and not ${holds(sql`${org.orgId}`, sql`t.account_id`, sql`c.entitlement_id`)})
    or ${given} is not null or ${last} is not null end)`;

export const outdatedChanges = (db: OrgDb, taskIds: string[]) => many<Outdated>(db)`
    select t.id as task_id, c.entitlement_id, c.added, e.external_id as id, c.name, e.name as current_name, e.active,
      case when not c.added and e.active then found.last_of end as last_of, found.given_by, ${hasEnded(db, isRevoked)} as revoked,
      ${hasEnded(db, isOver)} as is_over,
      t.action = 'create_account' and ${isNeeded(sql`${db.orgId}`, sql`t.account_id`)} as creates_wanted, (
      select count(*)::integer from task_change o
      where o.org_id = ${db.orgId} and o.task_id = t.id and not o.spared) as "of"
    from task t
    join task_change c on c.org_id = ${db.orgId} and c.task_id = t.id and not c.spared
    join ${entitlements} e on e.org_id = ${db.orgId} and e.id = c.entitlement_id
    cross join lateral (select ${givenBy(db)} as given_by, ${lastOf(db)} as last_of offset 0) found
    where t.org_id = ${db.orgId} and t.id = any(${taskIds}::uuid[])
      and ${isOutdated(db, sql`found.given_by`, sql`found.last_of`)}
    order by t.number, e.slug, e.external_id`;

/** Returns those of these tasks that create an account which no decision wants any more. */
export const unwantedCreations = async (db: OrgDb, taskIds: string[]) => {
  const rows = await many<{ id: string }>(db)`
    select t.id from task t
    where t.org_id = ${db.orgId} and t.id = any(${taskIds}::uuid[]) and ${createsUnwanted(db)}`;
  return rows.map(({ id }) => id);
};

/**
 * Returns accounts of an app with a pending task that no connector has seen, and that must not run: its changes are
 * outdated, the time of the account is over, its person has left or is back (D74), or it would take away the account with which the connector signs in, or, without a person's decision, the last member
 * of a group whose risk is high (D66).
 */
export const accountsWithOutdatedTasks = (db: OrgDb, appId: string) => many<{
  app_id: string;
  account_id: string;
}>(db)`
    select distinct t.app_id, t.account_id
    from task t
    where t.org_id = ${db.orgId} and t.app_id = ${appId} and t.status = 'pending' and t.dispatched_at is null
      and (t.action in ('delete_account', 'suspend_account') and (${isOwnAccount(db, sql`t.account_id`)}
          or t.preconditions @> '[{"kind": "not_last_member"}]' and not ${PRECONDITIONS.not_last_member.holds(db.orgId)})
        or not ${personIsAsDecided(db)} or ${createsUnwanted(db)}
        or exists (
          select from task_change c
          join ${entitlements} e on e.org_id = ${db.orgId} and e.id = c.entitlement_id
          where c.org_id = ${db.orgId} and c.task_id = t.id and not c.spared and ${isOutdated(db)}))`;

/**
 * Marks these changes as left out, and says so on their tasks, which wait for what is away. The caller has locked the tasks.
 */
export async function leaveOut(
  tx: OrgTx,
  changes: readonly { task_id: string; entitlement_id: string; isAway: boolean }[],
  tasks: readonly { id: string; parts: readonly Sentence[]; isAway: boolean }[],
): Promise<void> {
  await run(tx)`
    update task_change c set spared = true, away = g.away
    from unnest(${changes.map(({ task_id }) => task_id)}::uuid[],
      ${changes.map(({ entitlement_id }) => entitlement_id)}::uuid[],
      ${changes.map(({ isAway }) => isAway)}::boolean[]) as g (task_id, entitlement_id, away)
    where c.org_id = ${tx.orgId} and c.task_id = g.task_id and c.entitlement_id = g.entitlement_id`;
  await run(tx)`
    update task t set left_out = coalesce(t.left_out, '[]') || g.parts,
      awaits_return_until = greatest(t.awaits_return_until, seconds_after(clock_now(), g.wait))
    from unnest(${tasks.map(({ id }) => id)}::uuid[], ${tasks.map(({ parts }) => JSON.stringify(parts))}::text[]::jsonb[],
      ${tasks.map(({ isAway }) => (isAway ? WAIT_SECONDS : null))}::double precision[]) as g (id, parts, wait)
    where t.org_id = ${tx.orgId} and t.id = g.id`;
}
