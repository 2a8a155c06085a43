import type { MergeHook } from '#directory/people/merge.ts';
import type { AccountsMergedHook } from '#inventory/records/accounts/correlation.ts';
import { itemReassigned } from '../campaigns/events.ts';
import { moveItems, moveToAccounts } from './queries/merge.ts';

/**
 * Undecided review items of a merged person, and those that they review, move to the person who remains. Nobody reviews their
 * own access: such items go to the other reviewers or the fallback reviewers, as the settings of the cycle name them after the merge.
 */
export const moveItemsOfMerged: MergeHook = {
  async move(tx, { from, into, cause }) {
    const items = await moveItems(tx, from.id, into.id);
    const handedOver = items.filter((item) => item.from.join() !== item.to.join());
    return {
      moved: { review_items: items.length },
      events: handedOver.map((item) => itemReassigned(item, cause)),
    };
  },
};

/** The items about a duplicate follow its record (D24). */
export const moveItemsOfAccounts: AccountsMergedHook = (tx, merges) => moveToAccounts(tx, merges);
