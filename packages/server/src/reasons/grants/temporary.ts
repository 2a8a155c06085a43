import type { OrgDb } from '#kit/database.ts';
import { type OpenGrant, openGrants } from './facts.ts';
import type { Access } from './grant.ts';

/** Access of an account that ends by itself. */
export interface TemporaryAccess extends Access {
  /** When the last grant on it ends. */
  ends_at: Date;
}

/** Returns the access of accounts that grants let end (D73), and that was not found. */
export async function temporaryAccess(db: OrgDb, accountIds: readonly string[]): Promise<TemporaryAccess[]> {
  if (accountIds.length === 0) return [];
  const grants = await openGrants(db, accountIds);
  const groups = Map.groupBy(grants, ({ account_id, entitlement_id }) => `${account_id} ${entitlement_id}`);
  return [...groups.values()].flatMap((group) => {
    const { account_id, entitlement_id } = group[0] as OpenGrant;
    const ends_at = lastEnd(group);
    return ends_at === null || group.some(({ over_found }) => over_found)
      ? []
      : [{ account_id, entitlement_id, ends_at }];
  });
}

const lastEnd = (grants: readonly OpenGrant[]): Date | null =>
  grants.some(({ ends_at }) => ends_at === null)
    ? null
    : new Date(Math.max(...grants.map(({ ends_at }) => ends_at?.getTime() ?? 0)));
