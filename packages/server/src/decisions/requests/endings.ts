import type { TemporaryAccess } from '#reasons/grants/temporary.ts';

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
