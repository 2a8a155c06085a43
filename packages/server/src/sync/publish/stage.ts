import { analyzeRelations, fillRelation } from '../../inventory/publication/relation.ts';
import {
  type Scope,
  stagedAccount,
  stagedEntitlement,
  stagedReference,
} from '../../inventory/publication/relations.ts';
import type { Tx } from '../../platform/database/open.ts';
import {
  configurePlanner,
  deleteOverwrittenReferences,
  selectAccounts,
  selectEntitlements,
  selectReferences,
} from './queries/stage.ts';

/** The records of a session, parsed. */
export interface Staged {
  accounts: typeof stagedAccount;
  references: typeof stagedReference;
  entitlements: typeof stagedEntitlement;
  /** Number of different accounts and entitlements. */
  count: number;
}

/** Parses the pages of a session into relations. */
export async function stagePages(tx: Tx, scope: Scope): Promise<Staged> {
  await configurePlanner(tx);
  const accounts = await fillRelation(tx, scope, stagedAccount, selectAccounts(scope));
  await analyzeRelations(tx, scope, stagedAccount);
  await fillRelation(tx, scope, stagedReference, selectReferences(scope));
  await analyzeRelations(tx, scope, stagedReference);
  await deleteOverwrittenReferences(tx, scope, stagedReference, stagedAccount);
  const entitlements = await fillRelation(
    tx,
    scope,
    stagedEntitlement,
    selectEntitlements(scope, stagedReference),
  );
  await analyzeRelations(tx, scope, stagedEntitlement);
  return {
    accounts: stagedAccount,
    references: stagedReference,
    entitlements: stagedEntitlement,
    count: accounts + entitlements,
  };
}
