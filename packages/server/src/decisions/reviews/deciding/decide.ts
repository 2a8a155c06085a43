import { requireOtherHands } from '#directory/means/second-person.ts';
import { holdersLately } from '#inventory/records/accounts/links.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx } from '#kit/identity.ts';
import { type NewEvent, recordEvents, recordEventsFrom } from '#log/events/record.ts';
import { type Decision, isAdministrator } from '../campaigns/cycle.ts';
import { campaignClosed } from '../campaigns/events.ts';
import {
  type LockedCycle,
  type LockedItem,
  lockAppsOf,
  lockCycle,
  lockItems,
} from '../campaigns/queries/locks.ts';
import { coolingOffEnd } from '../campaigns/schedule.ts';
import { deviatingAmong } from '../cycles/context.ts';
import { accessibleCycle, type Cycle, reviewingPerson } from '../cycles/cycles.ts';
import { countReviewed, type ReviewingPerson } from '../reviewers/queries/reviewing.ts';
import { cancelRevocations, createRevocations } from '../revoking/revoke.ts';
import { reviewRefusals } from '../sentences.ts';
import * as queries from './queries/decide.ts';
import { decidedEvents, withdrawnEvents } from './queries/item-events.ts';

export interface DecisionRequest {
  items: string[];
  /** Null withdraws the decision. */
  decision: Decision | null;
  comment: string | null;
  /** Whether to refuse the request if somebody else has made the current decision of an item. */
  onlyOwn: boolean;
  /** Whether a revocation of access that something else gives removes the giver from the account (D68). */
  atGiver: boolean;
  /** Whether to refuse the request if an item deviates, or if somebody has decided one since. */
  withoutDeviations: boolean;
}

/**
 * Decides all of these items, or none. 404 for an item outside the cycle, 403 for an item that the caller does not
 * review, 409 for a decision that can no longer be changed. Repeating a decision changes nothing. In an open cycle, a
 * decision can also be withdrawn: its items are undecided again.
 */
export async function decideItems(call: Call, cycleId: string, request: DecisionRequest): Promise<Cycle> {
  const { userId } = call.principal;
  const { items: itemIds, decision, atGiver } = request;
  const comment = decision === null ? null : request.comment;
  requireReasonedKeep(request);
  await transaction(call, async (tx) => {
    const cycle = await lockCycle(tx, cycleId);
    if (cycle === undefined || cycle.status === 'scheduled') throw reviewRefusals.cycle_not_open_yet();
    const items = await lockItems(tx, cycleId, itemIds);
    if (items.length < new Set(itemIds.map((id) => id.toLowerCase())).size) throw notFound('Item');
    const reviewer = await reviewingPerson(tx);
    await requireReviewer(tx, cycleId, reviewer, items);
    const waived = await requireOthersAccess(tx, items, decision);
    await requireUnchanged(tx, cycleId, items, request);
    const changed = items.filter((item) => isChange(item, decision, comment, atGiver));
    for (const item of changed) requireChangeable(cycle, item);
    if (changed.length === 0) return;
    if (decision === null && cycle.status !== 'in_progress') throw reviewRefusals.cycle_completed();

    const ids = changed.map(({ id }) => id);
    await lockAppsOf(tx, cycleId, ids);
    await requireOthersAccounts(tx, cycleId, ids, decision);
    const cancelled = await cancelRevocations(tx, cycle, changed, decision, call.cause);
    if (decision === null) await queries.withdrawDecision(tx, cycleId, ids);
    else {
      const verdict = { decision, comment, decidedBy: userId, reviewer, at: cycle.now };
      const chosen = decision === 'revoke' && atGiver;
      await queries.setDecision(tx, cycleId, ids, { ...verdict, atGiver: chosen });
    }
    const others = await createRevocations(tx, cycle, cancelled.others, call.cause, 'keep');
    const revoked = await createRevocations(tx, cycle, ids, call.cause, 'refuse');
    const completed = await queries.countDecisions(tx, cycleId, {
      ...countChange(changed, decision),
      at: cycle.now,
    });
    const closed = completed ? [campaignClosed(cycle, call.cause)] : [];
    const eventsOf = decision === null ? withdrawnEvents : decidedEvents;
    await recordEventsFrom(tx, eventsOf(call.orgId, cycleId, ids, call.cause));
    await recordEvents(tx, [...waived, ...cancelled.events, ...others, ...revoked, ...closed]);
  });
  return accessibleCycle(call, cycleId);
}

/** Whether a decision changes anything: repeating one does not. */
const isChange = (item: LockedItem, decision: Decision | null, comment: string | null, atGiver: boolean) =>
  item.decision !== decision ||
  item.comment !== comment ||
  (decision === 'revoke' && atGiver && !item.at_giver);

/** Throws 400 unless items without deviations are kept with a reason: nobody looks at each of them. */
function requireReasonedKeep({ withoutDeviations, decision, comment }: DecisionRequest) {
  if (!withoutDeviations) return;
  if (decision !== 'keep') throw reviewRefusals.together_only_kept();
  if (comment === null || comment.trim() === '') throw reviewRefusals.together_without_reason();
}

/** Throws 409 if the items are no longer as the caller saw them. */
async function requireUnchanged(tx: CallTx, cycleId: string, items: LockedItem[], request: DecisionRequest) {
  const { onlyOwn, withoutDeviations, decision, comment } = request;
  if (onlyOwn) requireOwnDecisions(items, tx.principal.userId, decision);
  if (withoutDeviations) await requireNoDeviations(tx, cycleId, items, comment);
}

/**
 * Throws 409 if any of these items deviates now, or if somebody has decided it since the caller read it. The same step again changes
 * nothing.
 */
async function requireNoDeviations(tx: CallTx, cycleId: string, items: LockedItem[], comment: string | null) {
  const isSame = (item: LockedItem) =>
    item.decision === 'keep' && item.decided_by === tx.principal.userId && item.comment === comment;
  const others = items.filter((item) => item.decision !== null && !isSame(item)).length;
  if (others > 0) throw reviewRefusals.items_decided_since({ others });
  const open = items.filter(({ decision }) => decision === null).map(({ id }) => id);
  const deviating = open.length === 0 ? [] : await deviatingAmong(tx, cycleId, open);
  if (deviating.length > 0) throw reviewRefusals.items_deviate({ count: deviating.length });
}

/** Throws 403 unless the caller reviews all of these items. Administrators may decide in place of reviewers. */
export async function requireReviewer(
  tx: CallTx,
  cycleId: string,
  reviewer: ReviewingPerson,
  items: LockedItem[],
): Promise<void> {
  const { userId } = tx.principal;
  if (items.some(({ user_id, holder_id }) => user_id === userId || holder_id === userId))
    throw reviewRefusals.own_access();
  if (isAdministrator(tx.principal)) return;
  const others = items.filter(({ reviewers }) => !reviewers.includes(userId)).map(({ id }) => id);
  if (others.length > 0 && (await countReviewed(tx, cycleId, reviewer, others)) < others.length)
    throw reviewRefusals.not_a_reviewer();
}

/** Throws 403 for a decision to keep access that is or lately was that of somebody behind the decision (D76). */
async function requireOthersAccess(
  tx: CallTx,
  items: readonly LockedItem[],
  decision: Decision | null,
): Promise<NewEvent[]> {
  if (decision !== 'keep') return [];
  const holders = await holdersLately(
    tx,
    items.map(({ account_id }) => account_id),
  );
  const people = [...items.map(({ user_id }) => user_id), ...holders.map(({ user_id }) => user_id)];
  return requireOtherHands(tx, {
    act: 'review',
    beneficiaries: people.filter((id) => id !== null),
    refuse: (because) => (because === 'self' ? reviewRefusals.own_access() : reviewRefusals.access_behind()),
  });
}

/** Throws 409 for the revocation of an account with which a connector signs in (D66). */
async function requireOthersAccounts(
  tx: CallTx,
  cycleId: string,
  ids: string[],
  decision: Decision | null,
): Promise<void> {
  if (decision !== 'revoke') return;
  const [own] = await queries.ownAccounts(tx, cycleId, ids);
  if (own === undefined) return;
  throw reviewRefusals.account_of_connector({ app_name: own.app_name, account: own.account });
}

/** Throws 409 unless the caller made the current decision of these items. Withdrawing leaves undecided items as they are. */
function requireOwnDecisions(items: LockedItem[], userId: string, decision: Decision | null) {
  const others = items.filter(
    (item) => item.decided_by !== userId && !(item.decision === null && decision === null),
  ).length;
  if (others > 0) throw reviewRefusals.items_decided_since({ others });
}

/** A keep can change while its cycle is open. Other decisions can change until their cooling-off is over. */
function requireChangeable({ status, settings, now }: LockedCycle, { decision, decided_at }: LockedItem) {
  if (decided_at === null || (decision === 'keep' && status === 'in_progress')) return;
  if (coolingOffEnd(decided_at, settings.cooling_off_hours) <= now) throw reviewRefusals.cooling_off_over();
}

/** Returns by how much the cycle's counts of decisions change. */
function countChange(changed: LockedItem[], decision: Decision | null) {
  const before = (which: Decision) => changed.filter((item) => item.decision === which).length;
  const after = (which: Decision) => (which === decision ? changed.length : 0);
  return { kept: after('keep') - before('keep'), revoked: after('revoke') - before('revoke') };
}
