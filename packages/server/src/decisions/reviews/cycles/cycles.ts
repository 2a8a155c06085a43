import { withoutSignIn } from '#directory/sign-in/credentials/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { wouldExceedBudget } from '#work/provisioning/budget.ts';
import { isAdministrator, type Revocations } from '../campaigns/cycle.ts';
import { findReviewingPerson, type ReviewingPerson } from '../reviewers/queries/reviewing.ts';
import {
  countRevocations,
  type RevocationCounts,
  uncountedRevocations,
} from '../revoking/queries/closing.ts';
import { revocationsOf } from '../revoking/queries/revocations.ts';
import { reviewRefusals } from '../sentences.ts';
import type { Item } from './item-schemas.ts';
import type { CycleFilter, Cycle as StoredCycle } from './queries/cycles.ts';
import * as queries from './queries/cycles.ts';
import { countHidden } from './queries/hidden.ts';
import type { ItemFilter } from './queries/items.ts';
import * as itemQueries from './queries/items.ts';
import { listReviewers as selectReviewers } from './queries/reviewers.ts';
import { remindersOf } from './remind.ts';

export interface Cycle extends StoredCycle {
  /** Null where they are not counted: in a cycle with a million items, that takes seconds. */
  revocations: Revocations | null;
  /** The members that its groups and licenses have and no item shows, now. Null where they are not counted. */
  hidden_members: number | null;
}

/** Returns those of the cycles in which a member has items to review. */
export const cyclesVisibleTo = async (
  db: OrgDb,
  cycleIds: readonly string[],
  userId: string,
): Promise<Set<string>> => queries.withItemsFor(db, cycleIds, await findReviewingPerson(db, userId, false));

/** Adds what became of the revocations of a cycle, and how many members no sync shows. */
export async function withResults(call: Call, cycle: Cycle): Promise<Cycle> {
  const revocations = await revocationsOf(call, cycle.id);
  return { ...cycle, revocations, hidden_members: await countHidden(call, cycle.settings.scope) };
}

/** Throws 404 for an unknown cycle, and 403 for a member who has nothing to review in it (protocol 16). */
export async function accessibleCycle(call: Call, cycleId: string): Promise<Cycle> {
  const { role } = call.principal;
  const cycle = isUuid(cycleId) ? await queries.findCycle(call, cycleId) : undefined;
  if (cycle === undefined) throw notFound('Cycle');
  if (role === 'member' && !(await cyclesVisibleTo(call, [cycleId], call.principal.userId)).has(cycleId))
    throw reviewRefusals.nothing_to_review();
  return uncounted(cycle);
}

/** Members see only cycles and items that they review (protocol 16). */
export const reviewerOf = async (call: Call, mine: boolean) =>
  mine || call.principal.role === 'member' ? reviewingPerson(call) : null;

export const reviewingPerson = (call: Call): Promise<ReviewingPerson> =>
  findReviewingPerson(call, call.principal.userId, isAdministrator(call.principal));

export async function listCycles(
  call: Call,
  { mine, ...filter }: Omit<CycleFilter, 'reviewer'> & { mine: boolean },
  page: Page,
): Promise<Slice<Cycle>> {
  const reviewer = await reviewerOf(call, mine);
  const { count, results } = await queries.listCycles(call, { ...filter, reviewer }, page);
  return { count, results: results.map(uncounted) };
}

const uncounted = (cycle: StoredCycle): Cycle => ({ ...cycle, revocations: null, hidden_members: null });

/** Returns the open cycles in which the caller has undecided items, the first to be due first. */
export async function cyclesToDecide(call: Call): Promise<Cycle[]> {
  if (call.principal.role === 'auditor') return [];
  return (await queries.openFor(call, await reviewingPerson(call))).map(uncounted);
}

/**
 * Returns how far each reviewer of a cycle is, whether they have no way to sign in, and when a person last reminded them. Nobody
 * saw the preview of a cycle that opened by its schedule.
 */
export async function listReviewers(call: Call, cycleId: string, page: Page) {
  const cycle = await queries.findCycle(call, cycleId);
  const { count, results } = await selectReviewers(call, cycleId, page);
  const reminders =
    cycle && (await remindersOf(call, { id: cycle.id, campaign_id: cycle.campaign.external_uuid }));
  const remindedAt = (id = '') => reminders?.get(id) ?? null;
  const ids = results.flatMap(({ reviewer }) => reviewer?.external_uuid ?? []);
  const unable = new Set((await withoutSignIn(call, ids)).map(({ external_uuid }) => external_uuid));
  return {
    count,
    results: results.map((row) => ({
      ...row,
      cannot_sign_in: row.reviewer !== null && unable.has(row.reviewer.external_uuid),
      reminded_at: remindedAt(row.reviewer?.external_uuid),
    })),
  };
}

export async function listItems(
  call: Call,
  cycleId: string,
  { mine, ...filter }: Omit<ItemFilter, 'reviewing'> & { mine: boolean },
  page: Page,
): Promise<Slice<Item>> {
  const reviewing = await reviewerOf(call, mine);
  return itemQueries.listItems(call, cycleId, { ...filter, reviewing }, page);
}

/** Returns an item of a cycle. Throws 404 for an unknown one, and for one that a member does not review. */
export async function itemOf(call: Call, cycleId: string, itemId: string): Promise<Item> {
  const item = isUuid(itemId)
    ? await itemQueries.findItem(call, cycleId, itemId, await reviewerOf(call, false))
    : undefined;
  if (item === undefined) throw notFound('Item');
  return item;
}

/** Returns what closing the cycle now would take away, with the items (D46). */
export async function planOfCycle(
  call: Call,
  cycleId: string,
  page: Page,
): Promise<Slice<Item> & { counts: RevocationCounts; needs_confirmation: boolean }> {
  const items = await itemQueries.listItems(call, cycleId, { order: 'account', revocable: true }, page);
  return {
    ...items,
    counts: await countRevocations(call, cycleId),
    needs_confirmation: await wouldExceedBudget(call, await uncountedRevocations(call, cycleId)),
  };
}
