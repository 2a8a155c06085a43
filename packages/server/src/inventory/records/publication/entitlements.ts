import type { OrgTx } from '#kit/database.ts';
import type { Change } from '../history/change.ts';
import { findOwners, insertEntitlements, updateEntitlements } from './queries/entitlements.ts';
import type { Scope, stagedEntitlement } from './relations.ts';

/** Writes staged groups and licenses to the inventory. Identical ones are not written again (D23). */
export async function publishEntitlements(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  staged: typeof stagedEntitlement,
): Promise<{ created: number; updated: number }> {
  const updated = await updateEntitlements(tx, scope, change, staged);
  const created = await insertEntitlements(tx, scope, change, staged);
  await findOwners(tx, scope);
  return { created, updated };
}
