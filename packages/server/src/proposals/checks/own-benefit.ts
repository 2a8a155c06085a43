import type { Excluded } from '#directory/means/excluded.ts';
import { mainAccountsOf } from '#inventory/records/accounts/account-facts.ts';
import { beneficiariesAmong } from '#inventory/records/accounts/beneficiaries.ts';
import type { OrgDb } from '#kit/database.ts';
import { type Change, gives } from '../change.ts';
import { emailsOf } from '../queries/people.ts';
import type { Check } from './check.ts';

/**
 * Nobody behind a decision gets access by it (D76): a second person decides that. An account that was theirs lately counts as theirs, since
 * the link can be set again, also one that is gone and starts again for another person. Changes that take access away, or reset a password, are allowed.
 */
export const ownBenefit: Check<'own_benefit'> = {
  concerns: (change) => change.decision.hands !== undefined && gives(change),
  async judge(db, changes) {
    const found: { index: number; part: null; result: Excluded }[] = [];
    const accountOf = await accountsStartingAgain(db, changes);
    for (const [hands, all] of Map.groupBy(changes.entries(), ([, { decision }]) => decision.hands)) {
      if (hands === undefined) continue;
      const find = await beneficiariesAmong(db, [...hands.keys()]);
      for (const [index, change] of all) {
        const account = change.account?.id ?? accountOf(change);
        const person = find({ user: change.user?.id, account });
        if (person !== undefined)
          found.push({ index, part: null, result: { user: person, because: hands.get(person) ?? 'self' } });
      }
    }
    return found;
  },
};

/** Returns a function that finds the account that a person has had in an app, which a new one takes up. */
async function accountsStartingAgain(db: OrgDb, changes: readonly Change[]) {
  const created = changes.filter(({ account }) => account === null);
  const people = await emailsOf(db, [...new Set(created.flatMap(({ user }) => user?.id ?? []))]);
  const apps = [...new Set(created.map(({ app }) => app.id))];
  const accounts = people.length === 0 ? [] : await mainAccountsOf(db, people, apps);
  const known = new Map(accounts.map(({ id, app_id, person_id }) => [`${person_id} ${app_id}`, id]));
  return ({ user, app }: Change) => known.get(`${user?.id} ${app.id}`);
}
