import type { OrgDb } from '#kit/database.ts';
import { type OpenGrant, openGrants } from '#reasons/grants/facts.ts';

/** Access of an account that ends. Its entitlement is null for the account itself. */
export interface TemporaryAccess {
  entitlement_id: string | null;
  /** When the last grant on it ends. */
  ends_at: Date;
}

/** Returns the access of an account that grants let end (D73), and that was not found. */
export async function temporaryAccess(db: OrgDb, accountId: string): Promise<TemporaryAccess[]> {
  const grants = await openGrants(db, [accountId]);
  return [...Map.groupBy(grants, ({ entitlement_id }) => entitlement_id)].flatMap(
    ([entitlement_id, group]) => {
      const ends_at = lastEnd(group);
      return ends_at === null || group.some(({ over_found }) => over_found)
        ? []
        : [{ entitlement_id, ends_at }];
    },
  );
}

const lastEnd = (grants: readonly OpenGrant[]): Date | null =>
  grants.some(({ ends_at }) => ends_at === null)
    ? null
    : new Date(Math.max(...grants.map(({ ends_at }) => ends_at?.getTime() ?? 0)));

/** The access that an extension of these entitlements (empty: of everything) keeps for longer, until `to` (null: without an end). */
export const extendedBy = (
  access: readonly TemporaryAccess[],
  { only, to }: { only: readonly string[]; to: Date | null },
): TemporaryAccess[] =>
  access.filter(
    ({ entitlement_id, ends_at }) =>
      (to === null || ends_at < to) &&
      (only.length === 0 || (entitlement_id !== null && only.includes(entitlement_id))),
  );
