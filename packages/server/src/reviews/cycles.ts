import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { wouldExceedBudget } from '../provisioning/budget.ts';
import type { Cycle, CycleFilter, Item, ItemFilter } from './queries/cycles.ts';
import * as queries from './queries/cycles.ts';
import { listReviewers as selectReviewers } from './queries/reviewers.ts';
import { findReviewingPerson, type ReviewingPerson } from './queries/reviewing.ts';
import { remindersOf } from './remind.ts';

export type { Cycle, Item } from './queries/cycles.ts';
export { listOpenCycles } from './queries/cycles.ts';

export const isAdministrator = ({ role }: Pick<Principal, 'role'>) => role === 'owner' || role === 'admin';

/** Throws 404 for an unknown cycle, and 403 for a member who has nothing to review in it (protocol 16). */
export async function getCycle(db: Db, principal: Principal, cycleId: string): Promise<Cycle> {
  const { orgId, role } = principal;
  const cycle = isUuid(cycleId) ? await queries.findCycle(db, orgId, cycleId) : undefined;
  if (cycle === undefined) throw notFound('Cycle');
  if (
    role === 'member' &&
    !(await queries.hasItemsFor(db, orgId, cycleId, await reviewingPerson(db, principal)))
  )
    throw forbidden('You have nothing to review in this cycle.');
  return cycle;
}

/** Members see only cycles and items that they review (protocol 16). */
export const reviewerOf = async (db: Db, principal: Principal, mine: boolean) =>
  mine || principal.role === 'member' ? reviewingPerson(db, principal) : null;

export const reviewingPerson = (db: Db, principal: Principal): Promise<ReviewingPerson> =>
  findReviewingPerson(db, principal.orgId, principal.userId, isAdministrator(principal));

export async function listCycles(
  db: Db,
  principal: Principal,
  { mine, ...filter }: Omit<CycleFilter, 'reviewer'> & { mine: boolean },
  page: Page,
): Promise<Slice<Cycle>> {
  const reviewer = await reviewerOf(db, principal, mine);
  return queries.listCycles(db, principal.orgId, { ...filter, reviewer }, page);
}

/** Returns how far each reviewer of a cycle is, and when a person last reminded them. */
export async function listReviewers(db: Db, { orgId }: Principal, cycleId: string, page: Page) {
  const cycle = await queries.findCycle(db, orgId, cycleId);
  const { count, results } = await selectReviewers(db, orgId, cycleId, page);
  const reminders =
    cycle && (await remindersOf(db, orgId, { id: cycle.id, campaign_id: cycle.campaign.external_uuid }));
  const remindedAt = (id = '') => reminders?.get(id) ?? null;
  return {
    count,
    results: results.map((row) => ({ ...row, reminded_at: remindedAt(row.reviewer?.external_uuid) })),
  };
}

export async function listItems(
  db: Db,
  principal: Principal,
  cycleId: string,
  { mine, ...filter }: Omit<ItemFilter, 'reviewer'> & { mine: boolean },
  page: Page,
): Promise<Slice<Item>> {
  const reviewer = await reviewerOf(db, principal, mine);
  return queries.listItems(db, principal.orgId, cycleId, { ...filter, reviewer }, page);
}

/** Returns what closing the cycle now would take away, with the items (D46). */
export async function planOfCycle(
  db: Db,
  { orgId }: Principal,
  cycleId: string,
  page: Page,
): Promise<Slice<Item> & { counts: queries.RevocationCounts; needs_confirmation: boolean }> {
  const none = { reviewer: null, decision: null, kind: null, app: null, user: null, assignee: null, q: null };
  const items = await queries.listItems(
    db,
    orgId,
    cycleId,
    { ...none, order: 'account', revocable: true },
    page,
  );
  return {
    ...items,
    counts: await queries.countRevocations(db, orgId, cycleId),
    needs_confirmation: await wouldExceedBudget(
      db,
      orgId,
      await queries.uncountedRevocations(db, orgId, cycleId),
    ),
  };
}
