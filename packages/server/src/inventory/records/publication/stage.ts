import type { OrgTx } from '#kit/database.ts';
import type { RawBuilder } from '#kit/sql.ts';
import type { TypeProgress } from '../sessions/session.ts';
import { hasAccounts } from './queries/accounts.ts';
import { hasUnstaged, selectUnchanged, selectUnchangedStubs } from './queries/digests.ts';
import {
  analyzeRelations,
  createEmptyRelation,
  createRelation,
  fillRelation,
  insertInto,
} from './queries/relations.ts';
import {
  configurePlanner,
  countPushes,
  pagesHaveDetails,
  selectAccounts,
  selectChanged,
  selectDetails,
  selectEntitlements,
  selectRecords,
  selectReferences,
} from './queries/stage.ts';
import {
  type AccountRecords,
  changedRecord,
  type Scope,
  stagedAccount,
  stagedEntitlement,
  stagedRecord,
  stagedReference,
  unchangedAccount,
} from './relations.ts';
import { findUnreadable, type Unreadable } from './unreadable.ts';

/** The records of a session, parsed. */
export interface Staged {
  /** The app has no accounts yet, so that there is nothing to compare the pushed ones with. */
  isFirst: boolean;
  /** The pushed accounts that are not unchanged, and the same with their fields. */
  changed: AccountRecords;
  accounts: typeof stagedAccount;
  unchanged: typeof unchangedAccount;
  /** The references of the accounts that are not unchanged. */
  references: typeof stagedReference;
  entitlements: typeof stagedEntitlement;
  /** The records that the session could not see. */
  unreadable: Unreadable;
  /** A query of the details of all pushed accounts, and whether any of them has some. */
  details: { details: RawBuilder<unknown>; given: boolean };
  /** Number of different accounts. */
  pushedAccounts: number;
  /** Number of different accounts and entitlements. */
  count: number;
}

/**
 * Reads the pages of a session into relations. Accounts whose digests have not changed are not parsed (ADR 14). `progress` has the
 * number of different accounts, if they have been counted.
 */
export async function stagePages(
  tx: OrgTx,
  scope: Scope,
  progress: TypeProgress[] | null = null,
): Promise<Staged> {
  await configurePlanner(tx);
  const pushes = await countPushes(tx, scope);
  const once = progress !== null && pushes === differentAccounts(progress);
  const records = await fillRelation(tx, scope, stagedRecord, selectRecords(scope, once));
  await analyzeRelations(tx, scope, stagedRecord);
  const isFirst = !(await hasAccounts(tx, scope));
  const unchanged = isFirst
    ? await createEmptyRelation(tx, scope, unchangedAccount)
    : await fillRelation(tx, scope, unchangedAccount, selectUnchanged(scope, stagedRecord));
  const changed = await findChanged(tx, scope, records, unchanged);

  const isAll = unchanged === 0 && records === pushes;
  await fillRelation(tx, scope, stagedAccount, selectAccounts(scope, changed, isAll));
  await fillRelation(tx, scope, stagedReference, selectReferences(scope, changed, isAll));
  await analyzeRelations(tx, scope, stagedAccount, stagedReference);
  const entitlements = await fillRelation(
    tx,
    scope,
    stagedEntitlement,
    selectEntitlements(scope, stagedReference),
  );
  await analyzeRelations(tx, scope, stagedEntitlement);
  const stubs =
    unchanged > 0 && (await hasUnstaged(tx, scope, stagedEntitlement))
      ? await addUnchangedStubs(tx, scope)
      : 0;
  return {
    isFirst,
    changed,
    accounts: stagedAccount,
    unchanged: unchangedAccount,
    references: stagedReference,
    entitlements: stagedEntitlement,
    unreadable: await findUnreadable(tx, scope),
    details: { details: selectDetails(scope), given: await pagesHaveDetails(tx, scope) },
    pushedAccounts: records,
    count: records + entitlements + stubs,
  };
}

const differentAccounts = (progress: TypeProgress[]): number =>
  progress.filter(({ type }) => type === 'account').reduce((sum, { synced_count: n }) => sum + n, 0);

/** Returns the pushed accounts that are not unchanged: all, if none is unchanged. */
async function findChanged(
  tx: OrgTx,
  scope: Scope,
  records: number,
  unchanged: number,
): Promise<AccountRecords> {
  if (unchanged === 0) return stagedRecord;
  await analyzeRelations(tx, scope, unchangedAccount);
  if (unchanged === records) await createRelation(tx, scope, changedRecord);
  else await fillRelation(tx, scope, changedRecord, selectChanged(scope, stagedRecord, unchangedAccount));
  await analyzeRelations(tx, scope, changedRecord);
  return changedRecord;
}

async function addUnchangedStubs(tx: OrgTx, scope: Scope): Promise<number> {
  const stubs = selectUnchangedStubs(scope, stagedEntitlement, unchangedAccount);
  const { numAffectedRows } = await insertInto(scope, stagedEntitlement, stubs).execute(tx);
  return Number(numAffectedRows ?? 0);
}
