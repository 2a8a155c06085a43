import type { OrgDb } from '#kit/database.ts';
import { findEntitlements } from './queries/find.ts';
import { taskRefusals } from './sentences.ts';

/** External ids of groups and licenses by resource type slug, as in request bodies. */
export type EntitlementRefs = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the ids of the groups and licenses that a body names. 422 for an unknown slug or external id and, unless the
 * entitlement is to be removed, for an inactive one. `type` accepts groups or licenses only.
 */
export async function entitlementIds(
  db: OrgDb,
  appId: string,
  refs: EntitlementRefs,
  { type, removing = false }: { type?: 'group' | 'license'; removing?: boolean } = {},
): Promise<string[]> {
  const wanted = Object.entries(refs).flatMap(([slug, ids]) => ids.map((id) => ({ slug, id })));
  if (wanted.length === 0) return [];
  const found = await findEntitlements(db, appId, wanted);
  const known = new Map(found.map((entry) => [JSON.stringify([entry.slug, entry.id]), entry]));
  const ids = wanted.map(({ slug, id }) => {
    const entry = known.get(JSON.stringify([slug, id]));
    const fits = entry !== undefined && (type === undefined || entry.type === type);
    if (!fits || !(entry.active || removing)) throw UNKNOWN[type ?? 'any']({ id, slug });
    return entry.entitlement_id;
  });
  return [...new Set(ids)];
}

const UNKNOWN = {
  group: taskRefusals.group_unknown,
  license: taskRefusals.license_unknown,
  any: taskRefusals.entitlement_unknown,
};
