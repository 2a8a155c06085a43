import { openComparison } from './comparison.ts';
import { type Found, grantedGroup, noSuchEntitlement, readGrants, type Unknown } from './grants.ts';
import { innerGroups, matchAccounts, matchGroups, type Nesting } from './matching.ts';
import type { Plan, TypePlan } from './plan.ts';
import { type Group, type Resource, readGroups, type Skip } from './resources.ts';
import { keyOf, openSpool, type Spool } from './spool.ts';
import type { Reader } from './statements.ts';

/** The groups of a definition and who holds them. */
export type Holdings = {
  groups: ReadonlyMap<string, Group>;
  spool: Spool;
  /** Groups that grants name and no list has, by type. */
  missing: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Reads all groups, and the grants of an account type. Nested groups are expanded. The caller closes the spool. */
export async function readHoldings(
  reader: Reader,
  { types }: Plan,
  accounts: TypePlan,
  { skip, unknown }: { skip: Skip; unknown: Unknown },
): Promise<Holdings> {
  const groups = new Map<string, Group>();
  const byType = new Map<string, Map<string, Resource>>();
  const plans = types.filter(({ kind }) => kind !== 'account');
  for (const plan of plans) {
    const resources = new Map<string, Resource>();
    byType.set(plan.slug, resources);
    for await (const group of readGroups(reader, plan, skip)) {
      groups.set(keyOf({ slug: plan.slug, id: group.id }), group);
      resources.set(group.resource.ID, group.resource);
    }
  }
  const missing = new Map<string, Set<string>>();
  const spool = openSpool();
  const comparison = openComparison(reader);
  try {
    const unmatched: Nesting[] = [];
    for (const plan of plans) {
      const resources = byType.get(plan.slug) ?? new Map();
      const found: Found = (grant, at) => {
        const outer = grantedGroup(plan, grant);
        if (!groups.has(keyOf(outer))) throw noSuchEntitlement(plan, grant);
        const principal = types.find(({ slug }) => slug === at.principalType);
        if (principal?.kind === 'account') return spool.add(at.principalType, grant.principal, outer);
        const isShallow = at.expandable?.isShallow ?? false;
        const inner = innerGroups(groups, types, grant);
        for (const each of inner) spool.nest(each, outer, isShallow);
        if (inner.length === 0 && !grant.expanded) unmatched.push({ plan, grant, outer, isShallow });
      };
      const absent = (slug: string, names: ReadonlySet<string>) => {
        unknown(slug, names);
        missing.set(slug, new Set([...(missing.get(slug) ?? []), ...names]));
      };
      await readGrants(reader, comparison, { plan, resources }, { skip, found, unknown: absent });
    }
    const matching = { comparison, plans, byType, groups, spool, unknown };
    await matchGroups(matching, unmatched);
    await matchAccounts(reader, matching, accounts);
    spool.expand();
    return { groups, spool, missing };
  } catch (error) {
    spool.close();
    throw error;
  } finally {
    await comparison.close();
  }
}
