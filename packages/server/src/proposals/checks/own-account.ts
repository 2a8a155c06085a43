import { ownAccountsTried } from '../queries/own-accounts.ts';
import type { Check } from './check.ts';

/**
 * A policy tries once to suspend or delete the account with which a connector signs in (D66). The canceled task says why the account stays;
 * a daily policy would add one every day.
 */
export const ownAccount: Check<'own_account'> = {
  concerns: ({ decision, action }) =>
    decision.kind === 'policy' && (action === 'delete_account' || action === 'suspend_account'),
  async judge(db, changes) {
    const policies = Map.groupBy(changes, ({ decision }) => decision.id);
    const tried = new Set<string>();
    for (const [id, all] of policies) {
      const accounts = [...new Set(all.flatMap(({ account }) => account?.id ?? []))];
      for (const account of await ownAccountsTried(db, id as string, accounts)) tried.add(`${id} ${account}`);
    }
    return changes.flatMap(({ decision, account }, index) =>
      tried.has(`${decision.id} ${account?.id}`) ? [{ index, part: null, result: null }] : [],
    );
  },
};
