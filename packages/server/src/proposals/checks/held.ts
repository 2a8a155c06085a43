import { temporaryAccess } from '#reasons/grants/temporary.ts';
import { heldAmong } from '../queries/held.ts';
import type { Check } from './check.ts';

/**
 * Access that the account has needs no task: its grant begins (D73). Access that a task is about to take away, or that ends by itself before
 * the change begins, is given again.
 */
export const held: Check<'held'> = {
  concerns: ({ decision, action, add }) =>
    decision.kind === 'request' && action === 'update_account' && add.length > 0,
  async judge(db, changes) {
    const asked = changes.flatMap(({ account, add, executeAfter }, index) =>
      add.map(({ entitlement_id }) => ({
        ...{ index, entitlement_id, isLater: executeAfter !== null },
        account_id: account?.id as string,
      })),
    );
    const later = new Set(asked.filter(({ isLater }) => isLater).map(({ account_id }) => account_id));
    const ending = new Set((await temporaryAccess(db, [...later])).map(keyOf));
    const here = new Set((await heldAmong(db, asked)).map(keyOf));
    return asked.flatMap(({ isLater, index, ...access }) =>
      here.has(keyOf(access)) && !(isLater && ending.has(keyOf(access)))
        ? [{ index, part: access.entitlement_id, result: null }]
        : [],
    );
  },
};

const keyOf = ({ account_id, entitlement_id }: { account_id: string; entitlement_id: string | null }) =>
  `${account_id} ${entitlement_id}`;
