import type { Comparison } from './comparison.ts';
import { type Row, readable } from './drivers/driver.ts';
import { type Inputs, textOf } from './expressions.ts';
import type { Grant, Unknown } from './grants.ts';
import type { TypePlan } from './plan.ts';
import { type Group, groupId, type Resource } from './resources.ts';
import { type Held, keyOf, type Spool, UNLISTED_GROUP } from './spool.ts';
import { bindWhole, type Reader, read } from './statements.ts';

/** A grant that a group has. */
export type Nesting = { plan: TypePlan; grant: Grant; outer: Held; isShallow: boolean };

export type Matching = {
  comparison: Comparison;
  plans: TypePlan[];
  byType: ReadonlyMap<string, ReadonlyMap<string, Resource>>;
  groups: ReadonlyMap<string, Group>;
  spool: Spool;
  unknown: Unknown;
};

/** Finds the groups of grants that write their ids differently, and reports those that no list has. */
export async function matchGroups(
  { comparison, plans, byType, groups, spool, unknown }: Matching,
  unmatched: Nesting[],
): Promise<void> {
  for (const type of plans) {
    const names = new Set<string>();
    for (const plan of plans) {
      const own = unmatched.filter((each) => each.plan === plan && each.grant.principalType === type.slug);
      if (own.length === 0) continue;
      const asWritten = await principalsAsWritten(comparison, plan, type, byType.get(plan.slug));
      for (const { grant, outer, isShallow } of own) {
        const principal = asWritten.get(grant.principal) ?? '';
        const inner = innerGroups(groups, plans, { ...grant, principal });
        for (const each of inner) spool.nest(each, outer, isShallow);
        if (inner.length > 0) continue;
        names.add(grant.principal);
        spool.add(UNLISTED_GROUP, `${type.slug} ${grant.principal}`, outer);
      }
    }
    unknown(type.slug, names);
  }
}

/** Finds the accounts of grants that write their ids differently, and reports those that the list does not have. */
export async function matchAccounts(
  reader: Reader,
  { comparison, plans, byType, spool, unknown }: Matching,
  accounts: TypePlan,
): Promise<void> {
  const { slug, list, map } = accounts;
  if (!spool.hasMembers(slug)) return;
  for await (const rows of read(reader, list.statement.path, bindWhole(reader, list, {})))
    for (const cols of rows.map(readable)) spool.list(slug, idOf(map.id, cols));
  const unlisted = spool.unlisted(slug);
  if (unlisted.size === 0) return;
  for (const plan of plans)
    for (const [written, id] of await principalsAsWritten(comparison, plan, accounts, byType.get(plan.slug)))
      if (unlisted.has(written)) spool.rename(slug, written, id);
  unknown(slug, spool.unlisted(slug));
}

/** Returns an empty text for a row that cannot be mapped, which the listing reports. */
function idOf(expression: TypePlan['map']['id'], cols: Row): string {
  try {
    return textOf(expression, { cols });
  } catch {
    return '';
  }
}

/** Returns the ids of accounts or groups by what the grants of a type have for them, where that is written differently. */
export async function principalsAsWritten(
  comparison: Comparison,
  plan: TypePlan,
  principals: TypePlan,
  resources: ReadonlyMap<string, Resource> = new Map(),
): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  const id = principals.map.id?.column;
  if (id === undefined) return all;
  for (const { query, map } of plan.grants) {
    const own = map.filter(({ principalType }) => principalType === principals.slug);
    const columns = new Set(own.flatMap(({ principalId: { column } }) => column ?? []));
    const rounds: Inputs[] = query.isPerResource
      ? [...resources.values()].map((resource) => ({ resource }))
      : [{}];
    for (const name of columns)
      for (const inputs of rounds) {
        const target = { query: principals.list, inputs: {}, name: id };
        const found = await comparison.differentlyWritten({ query, inputs, name }, target);
        for (const [written, principal] of found) all.set(written, principal);
      }
  }
  return all;
}

/** Returns the groups whose members get a grant that a group has. */
export function innerGroups(groups: ReadonlyMap<string, Group>, types: TypePlan[], grant: Grant): Held[] {
  if (grant.expanded === undefined) {
    // The resource itself if it is a group, otherwise each of its entitlements.
    const own = { slug: grant.principalType, id: grant.principal };
    if (groups.has(keyOf(own))) return [own];
    return [...groups.values()]
      .filter(({ resource }) => resource.Type === grant.principalType && resource.ID === grant.principal)
      .map(({ id }) => ({ slug: grant.principalType, id }));
  }
  return grant.expanded.map((text) => {
    const [slug = '', rest = ''] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
    const plan = types.find((type) => type.slug === slug);
    if (!plan || !rest.includes(':')) throw new Error(`"${text}" is not type:resource:entitlement`);
    const at = rest.lastIndexOf(':');
    return { slug, id: groupId(plan, rest.slice(0, at), rest.slice(at + 1)) };
  });
}
