import type { OrgTx } from '#kit/database.ts';
import type { Change } from '../history/change.ts';
import { selectPushedAccounts } from './queries/accounts.ts';
import * as queries from './queries/memberships.ts';
import { analyzeRelations, createEmptyRelation, createRelation, fillRelation } from './queries/relations.ts';
import {
  addedMembership,
  droppedMembership,
  pushedAccount,
  pushedMembership,
  type Scope,
  type StartedAt,
  type stagedAccount,
  type stagedReference,
  type unchangedAccount,
} from './relations.ts';
import type { Staged } from './stage.ts';

/**
 * The pushed accounts, and the memberships of those that are not unchanged, by the ids that they have in the inventory.
 */
export interface Pushed {
  accounts: typeof pushedAccount;
  memberships: typeof pushedMembership;
}

/** Finds the ids of the staged accounts and references. The accounts and entitlements must have been published. */
export async function resolveReferences(
  tx: OrgTx,
  scope: Scope,
  staged: {
    accounts: typeof stagedAccount;
    unchanged: typeof unchangedAccount;
    references: typeof stagedReference;
  },
): Promise<Pushed> {
  await fillRelation(tx, scope, pushedAccount, selectPushedAccounts(scope, staged));
  await fillRelation(
    tx,
    scope,
    pushedMembership,
    queries.selectPushedMemberships(scope, pushedAccount, staged.references),
  );
  await analyzeRelations(tx, scope, pushedAccount, pushedMembership);
  return { accounts: pushedAccount, memberships: pushedMembership };
}

/** A set of memberships and their number. */
export interface Memberships<R> {
  rows: R;
  count: number;
}

/** Adds the pushed memberships that are new and confirms those that a task granted. The new ones are listed for events only. */
export async function addMemberships(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  pushed: Pushed,
  { isFirst, isRecorded }: { isFirst: boolean; isRecorded: boolean },
): Promise<Memberships<typeof addedMembership>> {
  await createRelation(tx, scope, addedMembership);
  const count = await queries.insertMemberships(tx, scope, change, pushed.memberships, {
    added: isRecorded ? addedMembership : null,
    isFirst,
  });
  if (!isFirst) await queries.confirmMemberships(tx, scope, change, pushed.memberships);
  return { rows: addedMembership, count };
}

/** Finds the memberships that pushed accounts no longer have, and leaves them in the inventory. */
export async function findDroppedMemberships(
  tx: OrgTx,
  scope: Scope,
  pushed: Pushed,
  { isFirst, unreadable }: Pick<Staged, 'isFirst' | 'unreadable'>,
  startedAt: StartedAt,
): Promise<Memberships<typeof droppedMembership>> {
  const count = isFirst
    ? await createEmptyRelation(tx, scope, droppedMembership)
    : await fillRelation(
        tx,
        scope,
        droppedMembership,
        queries.selectDroppedMemberships(scope, pushed, startedAt, unreadable.entitlements),
      );
  return { rows: droppedMembership, count };
}

/** Keeps when the memberships of the accounts were last seen that a completion neither saw nor removes. */
export const keepSparedMemberships = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  pushed: Pushed,
  startedAt: StartedAt,
): Promise<void> =>
  queries.keepSightings(tx, scope, change, queries.selectSparedAccounts(scope, pushed.accounts, startedAt));

export const removeDroppedMemberships = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  dropped: Memberships<typeof droppedMembership>,
): Promise<void> => queries.deleteMemberships(tx, scope, change, dropped.rows);
