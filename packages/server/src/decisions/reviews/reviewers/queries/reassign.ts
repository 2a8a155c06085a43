import { hasLeftOnHold } from '#decisions/holds/facts.ts';
import { ableOf } from '#directory/deciders/facts.ts';
import { type Db, everywhere, type Org, type OrgDb, type OrgTx } from '#kit/database.ts';
import { mayDecide } from '#kit/identity.ts';
import { many, type RawBuilder, sql, values } from '#kit/sql.ts';
import type { Reassigned } from '../../campaigns/cycle.ts';

/** The columns of an item that was handed over, after an update of item `i`. */
export const handedOver = sql`
  i.cycle_id, i.id as item_id, i.app_id, i.app_name, i.account_id, i.account_email as email, i.account_username as username,
  i.user_id`;
export const fromAndTo = sql`old.reviewers::text[] as "from", new.reviewers::text[] as "to"`;

/** The fallback reviewers of cycle `y`. */
export const fallbackOfCycle = sql`
  array(select jsonb_array_elements_text(nullif(y.settings -> 'fallback_reviewers', 'null'))::uuid)`;

/** Whether the person with this alias keeps their items: they can review, or nobody has decided yet whether they have left (D78). */
const keepsItems = (org: Org, person: string) =>
  sql`(${mayDecide(person)} or ${hasLeftOnHold(org, sql.ref(`${person}.id`))})`;

/**
 * Removes reviewers who can no longer review from undecided items. The remaining reviewers keep the item; if none
 * remain, it goes to the fallback reviewers. Covers the items of these people, or those of one cycle.
 */
export const reassign = (
  tx: OrgTx,
  whose: { people: string[] } | { cycleId: string },
): Promise<Reassigned[]> =>
  reassignAmong(
    tx,
    'people' in whose ? sql`i.reviewers && ${whose.people}::uuid[]` : sql`y.id = ${whose.cycleId}`,
  );

/** Does the same for all people of an organization. Finds the items through the index of reviewers. */
export const reassignAll = (tx: OrgTx): Promise<Reassigned[]> =>
  reassignAmong(
    tx,
    sql`(i.cycle_id, i.id) in (
      select mine.cycle_id, mine.id
      from platform_user u join review_item mine on mine.org_id = u.org_id and mine.reviewers @> array[u.id]
      where u.org_id = ${tx.orgId} and not ${keepsItems(tx, 'u')} and mine.decision is null)`,
  );

/** Returns the organizations that have items for reassignAll. */
export const organizationsWithLeavers = (db: Db) => values<string>(everywhere(db))`
    select distinct mine.org_id
    from platform_user u join review_item mine on mine.org_id = u.org_id and mine.reviewers @> array[u.id]
    where not (${mayDecide('u')}) and mine.decision is null`;

async function reassignAmong(tx: OrgTx, items: RawBuilder<unknown>): Promise<Reassigned[]> {
  return many<Reassigned>(tx)`
    update review_item i set reviewers = coalesce(nullif(${ableOf(tx, sql`i.reviewers`, sql`i.user_id`, keepsItems(tx, 'u'))}, '{}'),
      ${ableOf(tx, fallbackOfCycle, sql`i.user_id`)})
    from review_cycle y
    where i.org_id = ${tx.orgId} and y.org_id = ${tx.orgId} and y.id = i.cycle_id and y.status <> 'completed' and i.decision is null and ${items}
      and exists (
        select from unnest(i.reviewers) as given (id)
        where not exists (
          select from platform_user u where u.org_id = ${tx.orgId} and u.id = given.id and ${keepsItems(tx, 'u')}))
    returning ${handedOver}, ${fromAndTo}`;
}

/** Replaces all reviewers of these items, or the `replaced` ones, an array of ids that may depend on item `i`. Their wait for a decision begins again. */
export async function handOver(
  tx: OrgTx,
  cycleId: string,
  itemIds: string[],
  { to, replaced }: { to: string[]; replaced: RawBuilder<unknown> | 'all' },
): Promise<Reassigned[]> {
  const kept =
    replaced === 'all'
      ? sql`'{}'::uuid[]`
      : sql`array(
          select given.id from unnest(i.reviewers) with ordinality as given (id, n)
          where not given.id = any(${replaced}) and not given.id = any(${to}::uuid[]) order by given.n)`;
  return many<Reassigned>(tx)`
    update review_item i set reviewers = ${to}::uuid[] || ${kept}, assigned_at = clock_now(), escalated_to = null,
      escalation_level = null
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
    returning ${handedOver}, ${fromAndTo}`;
}

export const onlyReviewer = (id: string): RawBuilder<unknown> => sql`array[${id}::uuid]`;

/** Returns the undecided items of open cycles that a person reviews. */
export const undecidedOf = (db: OrgDb, reviewerId: string) => many<{ id: string; cycle_id: string }>(db)`
    select i.id, i.cycle_id from review_item i join review_cycle y on y.org_id = ${db.orgId} and y.id = i.cycle_id
    where i.org_id = ${db.orgId} and y.status = 'in_progress' and i.decision is null and i.reviewers @> array[${reviewerId}::uuid]
    order by i.cycle_id, i.id`;

/** Returns those of these people who can review, in the given order. */
export const ableReviewers = (db: OrgDb, ids: string[]) => values<string>(db)`
    select unnest(${ableOf(db, sql`${ids}::uuid[]`, sql`null`)})`;
