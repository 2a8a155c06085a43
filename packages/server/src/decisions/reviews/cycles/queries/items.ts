import { accountDetailView } from '#inventory/records/accounts/detail-facts.ts';
import {
  accountDetails,
  accountOwners,
  accounts,
  entitlements,
  giverOf,
  memberships,
  sourceOf,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { personJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, one, type RawBuilder, sql, type ValuesOf } from '#kit/sql.ts';
import { latestAttempt } from '#work/provisioning/facts.ts';
import { EVIDENCE_DETAILS } from '../../../../../../protocol/src/records.ts';
import { deputiesOf, isReviewedBy, type ReviewingPerson } from '../../reviewers/queries/reviewing.ts';
import { wouldRevoke } from '../../revoking/queries/closing.ts';
import { revocationState, whyNotPossible } from '../../revoking/queries/revocations.ts';
import { itemFilters } from '../filters.ts';
import type { Item } from '../item-schemas.ts';
import { isKeptByItsOwn } from '../own-facts.ts';
import { firstSeenGone } from './gone.ts';

/** The people in an array of ids, in its order. */
const people = (org: Org, ids: RawBuilder<unknown>) => sql`
  coalesce((
    select jsonb_agg(${personJson('r')} order by given.n)
    from unnest(${ids}) with ordinality as given (id, n)
    cross join lateral (
      select p.* from platform_user p where p.org_id = ${org.orgId} and p.id = given.id offset 0) r), '[]')`;

const itemView = (org: Org) => sql`
  i.id, i.kind, i.app_id, i.app_name, i.resource, i.decision, i.comment, i.decided_at, i.earlier,
  jsonb_build_object('external_uuid', i.account_id, 'email', i.account_email, 'username', i.account_username) as account,
  case when i.user_id is not null
    then jsonb_build_object('external_uuid', i.user_id, 'email', i.user_email, 'name', i.user_name) end as user,
  case when d.id is not null then ${personJson('d')} end as decided_by,
  ${people(org, sql`i.reviewers`)} as reviewers, ${people(org, sql`i.escalated_to`)} as escalated_to,
  ${people(org, sql`i.on_behalf_of`)} as on_behalf_of, ${deputiesOf(org)} as deputies,
  i.since, i.grants, i.found, i.last_seen_at, a.status as account_status, ${accountDetailView('ad', EVIDENCE_DETAILS)}, e.risk,
  coalesce(e.hidden_members, 0) as hidden_members,
  case when i.entitlement_id is null then ad.owner_email else e.owner_email end as owner_email,
  (select ${personJson('w')}
    from ${accountOwners} o join platform_user w on w.org_id = ${org.orgId} and w.id = o.owner_id
    where o.org_id = ${org.orgId} and o.account_id = i.account_id) as account_owner,
  case when u.id is not null then jsonb_build_object('status', u.status,
    'department', u.attributes ->> 'department', 'title', u.attributes ->> 'title') end as person,
  ${isKeptByItsOwn(org)} as own_afterwards,
  i.revoked_at, i.kept_by, i.kept_for, ${giverOf(org, 'm')} as via, ${sourceOf(org, 'm')} as source,
  t.id as task, t.action as task_action, t.status as task_status,
  t.execute_after as task_execute_after, t.ended_at as task_ended_at, t.confirmed as task_confirmed,
  case when i.decision = 'revoke' then gone.seen_gone_at is not null end as seen_gone, gone.seen_gone_at,
  gone.seen_gone_by, gone.seen_again_at, gone.restored_by,
  ${revocationState(org)} as revocation, coalesce(ad.is_own, false) as is_own,
  case when ${revocationState(org)} = 'not_possible' then ${whyNotPossible(org)} end as not_possible_because`;

/** The last attempt at the task of item `i`, or the deletion of the account that took its place. */
const carriedOutBy = (org: Org) => sql`(
  select coalesce(own.preempted_by, own.id) from ${latestAttempt(org, sql`i.task_id`)} own)`;

/** A record that belongs to item `i`, if there is one. `offset 0` makes the planner look it up by its key for each item. */
const recordOf = (org: Org, table: RawBuilder<unknown>, alias: string, key: RawBuilder<unknown>) => sql`
  left join lateral (select r.* from ${table} r where r.org_id = ${org.orgId} and ${key} offset 0) ${sql.id(alias)} on true`;

/**
 * The items of a page with all that is read with them. The page comes first, and each record of an item by its key: otherwise, a
 * database without statistics joins the items with all accounts or memberships, and reads these again for each item.
 */
const itemFrom = (org: Org, page: RawBuilder<unknown>) => sql`
  (${page}) page
  cross join lateral (
    select r.* from review_item r where r.org_id = ${org.orgId} and r.cycle_id = page.cycle_id and r.id = page.id offset 0) i
  join review_cycle y on y.org_id = ${org.orgId} and y.id = i.cycle_id
  cross join lateral (select r.* from ${accounts} r where r.org_id = ${org.orgId} and r.id = i.account_id offset 0) a
  ${recordOf(org, memberships, 'm', sql`r.account_id = i.account_id and r.entitlement_id = i.entitlement_id`)}
  ${recordOf(org, accountDetails, 'ad', sql`r.account_id = i.account_id`)}
  ${recordOf(org, entitlements, 'e', sql`r.id = i.entitlement_id`)}
  ${recordOf(org, sql.ref('platform_user'), 'u', sql`r.id = i.user_id`)}
  ${recordOf(org, sql.ref('platform_user'), 'd', sql`r.id = i.decided_by`)}
  left join lateral ${latestAttempt(org, carriedOutBy(org))} t on true
  left join lateral ${firstSeenGone(org)} gone on true`;

export type ItemFilter = ValuesOf<typeof itemFilters> & {
  /** Only items that this person reviews. */
  reviewing?: ReviewingPerson | null;
  /** By account, so that a person's access in one app stays together, or by group or license. */
  order: 'account' | 'access';
  /** Only items whose access closing the cycle would take away. */
  revocable?: boolean;
};

export async function listItems(
  db: OrgDb,
  cycleId: string,
  { reviewing, order: by, revocable = false, ...filter }: ItemFilter,
  page: Page,
): Promise<Slice<Item>> {
  const others = [sql`i.org_id = ${db.orgId} and i.cycle_id = ${cycleId}`];
  if (reviewing) others.push(isReviewedBy(db, reviewing));
  if (revocable) others.push(wouldRevoke(db, cycleId));
  const where = itemFilters.where(db, filter, ...others);
  const { decision, ...narrower } = filter;
  const isPrecounted = others.length === 1 && Object.values(narrower).every((value) => !value);
  const order = ORDERS[by];
  const counts = isPrecounted
    ? await precounted(db, cycleId, decision, page)
    : await countFor(db, page)`select from review_item i where ${where}`;
  const rows = await many<Item>(db)`
    select ${itemView(db)}
    from ${itemFrom(
      db,
      sql`select i.* from review_item i where ${where} order by ${order} limit ${page.limit} offset ${page.offset}`,
    )}
    order by ${order}`;
  return { ...counts, results: rows };
}

/** Returns an item of a cycle. With `reviewing`, only one that this person reviews. */
export const findItem = (
  db: OrgDb,
  cycleId: string,
  itemId: string,
  reviewing: ReviewingPerson | null,
) => one<Item>(db)`
    select ${itemView(db)}
    from ${itemFrom(
      db,
      sql`select i.* from review_item i
        where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and i.id = ${itemId}
          and ${reviewing === null ? sql`true` : isReviewedBy(db, reviewing)}`,
    )}`;

const ORDERS = {
  account: sql`i.id`,
  access: sql`i.app_name, i.app_id, i.kind, i.resource ->> 'name', i.resource ->> 'id', i.id`,
};

/** Reads the number of items from the cycle, which counts them and their decisions. */
async function precounted(
  db: OrgDb,
  cycleId: string,
  decision: ItemFilter['decision'],
  { countTo }: Page,
): Promise<{ count: number; more?: boolean }> {
  const n = {
    all: sql`y.items`,
    none: sql`y.items - y.kept - y.revoked`,
    keep: sql`y.kept`,
    revoke: sql`y.revoked`,
  }[decision ?? 'all'];
  const rows = await many<{ n: number }>(db)`
    select ${n} as n from review_cycle y where y.org_id = ${db.orgId} and y.id = ${cycleId}`;
  return { count: rows[0]?.n ?? 0, ...(countTo === undefined ? {} : { more: false }) };
}

/** Returns the items after the item `after`, for evidence. Every slice costs the same, however far it is in. */
export const itemsAfter = (db: OrgDb, cycleId: string, after: string | null, limit: number) => many<Item>(db)`
    select ${itemView(db)}
    from ${itemFrom(
      db,
      sql`select i.* from review_item i
        where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and (${after}::uuid is null or i.id > ${after}::uuid)
        order by i.id limit ${limit}`,
    )}
    order by i.id`;
