import type { Excluded } from '#directory/means/excluded.ts';
import { beneficiariesAmong } from '#inventory/records/accounts/beneficiaries.ts';
import { gives } from '../change.ts';
import type { Check } from './check.ts';

/**
 * Nobody behind a decision gets access by it (D76): a second person decides that. An account that was theirs lately counts as theirs, since
 * the link can be set again. Changes that take access away, or reset a password, are allowed.
 */
export const ownBenefit: Check<'own_benefit'> = {
  concerns: (change) => change.decision.hands !== undefined && gives(change),
  async judge(db, changes) {
    const found: { index: number; part: null; result: Excluded }[] = [];
    for (const [hands, all] of Map.groupBy(changes.entries(), ([, { decision }]) => decision.hands)) {
      if (hands === undefined) continue;
      const find = await beneficiariesAmong(db, [...hands.keys()]);
      for (const [index, { user, account }] of all) {
        const person = find({ user: user?.id, account: account?.id });
        if (person !== undefined)
          found.push({ index, part: null, result: { user: person, because: hands.get(person) ?? 'self' } });
      }
    }
    return found;
  },
};
