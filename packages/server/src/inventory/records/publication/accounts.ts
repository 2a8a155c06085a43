import type { OrgTx } from '#kit/database.ts';
import { linkAccounts } from '../accounts/links.ts';
import type { LinkMove } from '../accounts/queries/links.ts';
import type { Change } from '../history/change.ts';
import type { Ended } from './ended.ts';
import { insertAccounts, updateAccounts } from './queries/accounts.ts';
import { addCandidates, adoptAwaited, findExpected } from './queries/correlation.ts';
import { isNotEnded } from './queries/ended.ts';
import { createRelation, rowsOf } from './queries/relations.ts';
import { changedAccount, type Scope } from './relations.ts';
import type { Staged } from './stage.ts';

export interface PublishedAccounts {
  created: number;
  updated: number;
  /** Without the created ones if neither events nor candidates need them. */
  changed: typeof changedAccount;
  /** Ids of the pending accounts that were recognized among the pushed ones (D24). */
  adopted: string[];
  /** Links that changed. */
  moved: LinkMove[];
}

/**
 * Writes staged accounts to the inventory and links them to people, except those of `ended` (ended.ts). Identical ones are not
 * written again (D23).
 */
export async function publishAccounts(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { accounts: staged, isFirst }: Pick<Staged, 'accounts' | 'isFirst'>,
  { ended, isRecorded }: { ended: Ended; isRecorded: boolean },
): Promise<PublishedAccounts> {
  const expected = await findExpected(tx, scope);
  const adopted = expected.awaited ? await adoptAwaited(tx, scope, change, staged) : [];
  await createRelation(tx, scope, changedAccount);
  const others = ended.count === 0 ? undefined : isNotEnded(scope, ended.rows);
  const updated = isFirst
    ? 0
    : await updateAccounts(tx, scope, change, { staged, changed: changedAccount }, others);
  const moved = updated > 0 ? await linkAccounts(tx, change, rowsOf(scope, changedAccount)) : [];
  const isShown = isRecorded || expected.awaited || expected.improvable;
  const created = await insertAccounts(tx, scope, change, staged, {
    changed: isShown ? changedAccount : null,
    isFirst,
  });
  await addCandidates(tx, scope, changedAccount, expected);
  return { created, updated, changed: changedAccount, adopted, moved };
}
