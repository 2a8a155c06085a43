import type { OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { listLeavers } from './leaver-facts.ts';
import type { Leaver, Removal } from './leaver-schemas.ts';

/** Returns the open removals of accounts, by account. */
export type ReadRemovals = (db: OrgDb, accountIds: readonly string[]) => Promise<Map<string, Removal[]>>;

/** Lists leavers with their accounts, and with the tasks that already remove these. */
export async function listLeaversWithRemovals(
  db: OrgDb,
  readRemovals: ReadRemovals,
  userId: string | null,
  page: Page,
): Promise<Slice<Leaver>> {
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
