import type { OrgTx } from '#kit/database.ts';
import type { RawBuilder } from '#kit/sql.ts';
import * as queries from './queries/details.ts';
import { analyzeRelations, fillRelation } from './queries/relations.ts';
import { changedDetail, changedOwner, type pushedAccount, type Scope } from './relations.ts';

/**
 * Writes the details of the pushed accounts (D54): the last sign-in, the owner that the app names, and attributes. A record
 * without them clears them (D17). They are not part of the state: neither digests nor the history nor the counts of the sync
 * change. `details` selects those of the pages; `given` is false if there are none. Returns the accounts whose kind or owner
 * follows from a pushed owner and has changed, or null for none.
 */
export async function publishDetails(
  tx: OrgTx,
  scope: Scope,
  pushed: typeof pushedAccount,
  { details, given }: { details: RawBuilder<unknown>; given: boolean },
): Promise<typeof changedOwner | null> {
  const before = await queries.findDetails(tx, scope);
  if (!given && !before.found) return null;
  if (given) {
    await fillRelation(tx, scope, changedDetail, queries.selectChangedDetails(scope, pushed, details));
    await analyzeRelations(tx, scope, changedDetail);
    await queries.storeDetails(tx, scope, changedDetail);
  }
  if (before.found) await queries.clearDetails(tx, scope, queries.selectWithout(scope, pushed, details));
  if ((await queries.findDetails(tx, scope)).observed) await queries.addUnused(tx, scope, pushed);
  const owners = await fillRelation(tx, scope, changedOwner, queries.selectChangedOwners(scope));
  if (owners === 0) return null;
  await queries.storeOwners(tx, scope, changedOwner);
  return changedOwner;
}
