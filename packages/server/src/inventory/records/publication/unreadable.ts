import type { OrgTx } from '#kit/database.ts';
import { fillRelation } from './queries/relations.ts';
import * as queries from './queries/unreadable.ts';
import { type Scope, stagedEntitlement, unreadableEntitlement } from './relations.ts';

/**
 * Finds what the session's connector may not read (D81). Records and memberships that it could not have pushed are not stale: they stay until
 * a session that can see them decides.
 */
export interface Unreadable {
  /** Groups and licenses whose members stay. Null: none. */
  entitlements: typeof unreadableEntitlement | null;
  /** Ids of the account types whose accounts stay. */
  accountTypes: readonly string[];
}

/** Finds what the session reported as unreadable. Its entitlements must have been staged. */
export async function findUnreadable(tx: OrgTx, scope: Scope): Promise<Unreadable> {
  const { any, accounts } = await queries.unreadableTypes(tx, scope);
  if (!any) return { entitlements: null, accountTypes: [] };
  await fillRelation(tx, scope, unreadableEntitlement, queries.selectUnreadable(scope, stagedEntitlement));
  return { entitlements: unreadableEntitlement, accountTypes: accounts };
}
