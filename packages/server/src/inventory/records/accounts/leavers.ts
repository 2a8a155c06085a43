import type { OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { type Leaver, listLeavers } from './leaver-facts.ts';

/** A task that deletes or suspends an account, and has not ended. Tasks belong to a higher layer. */
interface Removal {
  task: string;
  action: 'delete_account' | 'suspend_account';
  status: 'scheduled' | 'pending';
  execute_after: Date;
  waits_for: string | null;
}

/** Returns the open removals of accounts, by account. */
export type ReadRemovals = (db: OrgDb, accountIds: readonly string[]) => Promise<Map<string, Removal[]>>;

interface LeaverWithRemovals extends Omit<Leaver, 'accounts'> {
  accounts: (Leaver['accounts'][number] & { removals: Removal[] })[];
}

/** Lists leavers with their accounts, and with the tasks that already remove these. */
export async function listLeaversWithRemovals(
  db: OrgDb,
  readRemovals: ReadRemovals,
  userId: string | null,
  page: Page,
): Promise<Slice<LeaverWithRemovals>> {
  const slice = await listLeavers(db, userId, page);
  const ids = slice.results.flatMap(({ accounts }) => accounts.map(({ external_uuid }) => external_uuid));
  const removals = ids.length === 0 ? new Map<string, Removal[]>() : await readRemovals(db, ids);
  const results = slice.results.map(({ accounts, ...person }) => ({
    ...person,
    accounts: accounts.map((account) => ({
      ...account,
      removals: removals.get(account.external_uuid) ?? [],
    })),
  }));
  return { ...slice, results };
}
