import { analyzeRelations, fillRelation } from '../../inventory/publication/relation.ts';
import {
  type Scope,
  stagedAccount,
  stagedEntitlement,
  stagedReference,
} from '../../inventory/publication/relations.ts';
import type { Tx } from '../../platform/database/open.ts';
import { configurePlanner, selectAccounts, selectEntitlements, selectReferences } from './queries/stage.ts';

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
  const accounts = await fillRelation(tx, stagedAccount, selectAccounts(scope));
  await analyzeRelations(tx, stagedAccount);
  await fillRelation(tx, stagedReference, selectReferences(scope, stagedAccount));
  await analyzeRelations(tx, stagedReference);
  const entitlements = await fillRelation(tx, stagedEntitlement, selectEntitlements(scope, stagedReference));
  await analyzeRelations(tx, stagedEntitlement);
  return {
    accounts: stagedAccount,
    references: stagedReference,
    entitlements: stagedEntitlement,
    count: accounts + entitlements,
  };
}
