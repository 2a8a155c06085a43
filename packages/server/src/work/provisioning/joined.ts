import type { AccountsMergedHook } from '#inventory/records/accounts/correlation.ts';
import { judgeFound } from '#inventory/records/accounts/given.ts';
import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import { gotAtCreation, gotSinceCreation } from './queries/joined.ts';

/*
 * Whether access was found is judged after the record of a new account has joined it (D73): what the record got after the first dispatch of
 * the task that created the account was given with it, such as the groups that an app puts every new account into.
 */

/** Marks what the first sync of new accounts shows as given. */
export const judgeNewAccounts: PublishedHook = async (tx, _appId, _cause, changedBy) => {
  if (changedBy !== null) await judgeFound(tx, { given: await gotAtCreation(tx, changedBy), found: [] });
  return [];
};

/** Marks what records got as given that were recognized only later. */
export const judgeJoined: AccountsMergedHook = async (tx, merges) => {
  const ids = merges.map(({ account_id }) => account_id);
  await judgeFound(tx, { given: await gotSinceCreation(tx, ids), found: [] });
};
