import type { ArchiveHook } from '#inventory/apps/admin.ts';
import type { OrgTx } from '#kit/database.ts';
import * as queries from './queries/write.ts';
import type { Decided, Ended, Ending, NewSuspension } from './suspension.ts';

/*
 * The suspensions of accounts that the caller has locked (D73). Decisions write them in their own transaction: provisioning when a task has
 * its turn, and policies also where an account is suspended already.
 */

/** Begins suspensions, without those that the same decision has begun. */
export const beginSuspensions = (tx: OrgTx, wanted: readonly NewSuspension[]): Promise<void> =>
  queries.insertSuspensions(tx, wanted);

/** Ends the suspensions of accounts that the decision ends. */
export const endSuspensions = (
  tx: OrgTx,
  accountIds: readonly string[],
  by: Ending,
  ended: Ended = 'all',
): Promise<unknown> => queries.endOfAccounts(tx, accountIds, by, ended);

/** Ends the suspensions of an account that were decided before a time. */
export const endSuspensionsBefore = (
  tx: OrgTx,
  accountId: string,
  by: Ending,
  before: Date,
): Promise<unknown> => queries.endOfAccounts(tx, [accountId], by, 'all', before);

/** Ends the suspensions that single decisions began: they do not come to pass. */
export const endDecided = (tx: OrgTx, decided: readonly Decided[], by: Ending): Promise<unknown> =>
  queries.endDecided(tx, decided, by);

/** Ends the suspensions of these people's accounts that were decided because they left, and have not begun, if the people are active. */
export const endScheduledLeaving = (tx: OrgTx, userIds: readonly string[], by: Ending): Promise<unknown> =>
  queries.endScheduledLeaving(tx, userIds, by);

/** Begins again what a decision ended since a time: it is not carried out. */
export const beginAgain = (
  tx: OrgTx,
  accountId: string,
  by: Pick<Ending, 'kind' | 'id'>,
  since: Date,
): Promise<unknown> => queries.insertAgain(tx, accountId, by, since);

/** Ends all suspensions of an archived app. */
export const endSuspensionsOfApp: ArchiveHook = async (tx, { id, name }) => {
  await queries.endOfApp(tx, id, { kind: 'archive', id, label: name });
  return [];
};
