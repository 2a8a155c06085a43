import type { MergeHook } from '#directory/people/merge.ts';
import type { AccountsMergedHook } from '#inventory/records/accounts/correlation.ts';
import type { AccountsLinkedHook } from '#inventory/records/accounts/links.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Reassigned } from '../campaigns/cycle.ts';
import { itemReassigned } from '../campaigns/events.ts';
import { moveItems, moveItemsToHolders, moveToAccounts } from './queries/merge.ts';

/**
 * Undecided review items of a merged person, and those that they review, move to the person who remains. Nobody reviews their
 * own access: such items go to the other reviewers or the fallback reviewers, as the settings of the cycle name them after the merge.
 */
export const moveItemsOfMerged: MergeHook = {
  async move(tx, { from, into, cause }) {
    const items = await moveItems(tx, from.id, into.id);
    return {
      moved: { review_items: items.length },
      events: handedOverEvents(items, cause),
    };
  },
};

/** Undecided items of accounts that became those of somebody else move to them, as in a merge. */
export const moveItemsOfLinked: AccountsLinkedHook = async (tx, accountIds, cause) =>
  handedOverEvents(await moveItemsToHolders(tx, accountIds), cause);

const handedOverEvents = (items: readonly Reassigned[], cause: Cause): NewEvent[] =>
  items.filter(({ from, to }) => from.join() !== to.join()).map((item) => itemReassigned(item, cause));

/** The items about a duplicate follow its record (D24). */
export const moveItemsOfAccounts: AccountsMergedHook = (tx, merges) => moveToAccounts(tx, merges);
