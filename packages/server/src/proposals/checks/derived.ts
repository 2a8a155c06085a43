import { keyOf, removable } from '#inventory/records/accounts/derived.ts';
import type { Check } from './check.ts';

/** Access that something else gives cannot be taken away (D68): it stays, or goes with what gives it. */
export const derived: Check<'derived'> = {
  concerns: ({ remove, account }) => remove.length > 0 && account !== null,
  async judge(db, changes) {
    const wanted = changes.flatMap(({ account, remove }, index) =>
      remove.map(({ entitlement_id }) => ({ index, entitlement_id, account_id: account?.id as string })),
    );
    const { covered, kept } = await removable(db, wanted);
    if (covered.length + kept.length === 0) return [];
    const known = new Map([...covered, ...kept].map((one) => [keyOf(one), one]));
    const stays = new Set(kept);
    return wanted.flatMap(({ index, ...access }) => {
      const one = known.get(keyOf(access));
      if (one === undefined) return [];
      return [{ index, part: access.entitlement_id, result: { one, isCovered: !stays.has(one) } }];
    });
  },
};
