import type { Row } from './drivers/driver.ts';
import { asText, type Inputs, isTrue, requireColumns, textOf } from './expressions.ts';
import { type Reader, readQuery } from './paging.ts';
import type { GrantMapping, Plan, Query, TypePlan } from './plan.ts';
import { type Group, groupId, type Resource, readGroups, type Skip } from './resources.ts';
import { type Held, openSpool, type Spool } from './spool.ts';

/** The groups of a definition and who holds them. */
export type Holdings = { groups: ReadonlyMap<string, Group>; spool: Spool };

export const keyOf = ({ slug, id }: Held) => `${slug}\n${id}`;

/** Reads all groups and grants. Nested groups are expanded. The caller closes the spool. */
export async function readHoldings(reader: Reader, { types }: Plan, skip: Skip): Promise<Holdings> {
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
  const spool = openSpool();
  try {
    for (const plan of plans) {
      const resources = byType.get(plan.slug) ?? new Map();
      await readGrants(reader, plan, resources, skip, (grant, at) => {
        const outer = grantedGroup(plan, grant);
        if (!groups.has(keyOf(outer))) throw noSuchEntitlement(plan, grant);
        const principal = types.find(({ slug }) => slug === at.principalType);
        if (principal?.kind === 'account') spool.add(at.principalType, grant.principal, outer);
        else
          for (const inner of innerGroups(groups, types, grant))
            spool.nest(inner, outer, at.expandable?.isShallow ?? false);
      });
    }
    spool.expand();
    return { groups, spool };
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** Returns the group that a grant means. Throws if the definition has no such entitlement. */
export function grantedGroup(plan: TypePlan, grant: Grant): Held {
  if (plan.statics?.every(({ id }) => id.text !== grant.entitlement)) throw noSuchEntitlement(plan, grant);
  return { slug: plan.slug, id: groupId(plan, grant.resource.ID, grant.entitlement) };
}

const noSuchEntitlement = ({ slug }: TypePlan, { resource, entitlement }: Grant) =>
  new Error(`${slug} '${resource.ID}' has no entitlement "${entitlement}"`);

export type Grant = {
  resource: Resource;
  entitlement: string;
  principal: string;
  principalType: string;
  /** Entitlements whose holders have the grant, as type:resource:entitlement. Undefined: those of the principal. */
  expanded: string[] | undefined;
};

/** Returns the groups whose members get a grant that a group has. */
function innerGroups(groups: ReadonlyMap<string, Group>, types: TypePlan[], grant: Grant): Held[] {
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

type Found = (grant: Grant, mapping: GrantMapping) => void;

/** Reads the grants of a type. A row that cannot be read is reported to `skip`. */
export async function readGrants(
  reader: Reader,
  plan: TypePlan,
  resources: ReadonlyMap<string, Resource>,
  skip: Skip,
  found: Found,
): Promise<void> {
  if (resources.size === 0) return;
  for (const { query, map } of plan.grants) {
    // A query that does not name the resource returns the same rows for each one, so it runs once.
    if (!query.isPerResource) {
      await readRound(reader, { plan, query, map, candidates: resources, inputs: {} }, skip, found);
      continue;
    }
    for (const resource of resources.values()) {
      const candidates = new Map([[resource.ID, resource]]);
      await readRound(reader, { plan, query, map, candidates, inputs: { resource } }, skip, found);
    }
  }
}

type Round = {
  plan: TypePlan;
  query: Query;
  map: GrantMapping[];
  candidates: ReadonlyMap<string, Resource>;
  inputs: Inputs;
};

async function readRound(reader: Reader, round: Round, skip: Skip, found: Found): Promise<void> {
  let number = 0;
  for await (const rows of readQuery(reader, round.query, round.inputs)) {
    for (const cols of rows) {
      if (number++ === 0)
        for (const mapping of round.map) requireColumns(reader.document, cols, columnsOf(mapping));
      try {
        mapRow(round, cols, found);
      } catch (error) {
        skip(`row ${number} of the grants of ${round.plan.slug}`, (error as Error).message);
      }
    }
  }
}

function mapRow({ map, candidates }: Round, cols: Row, found: Found): void {
  for (const mapping of map) {
    for (const resource of candidatesOf(mapping, cols, candidates)) {
      const grant = grantOf(mapping, { cols, resource }, resource);
      if (grant) found(grant, mapping);
    }
  }
}

const columnsOf = ({ skipIf, principalId, entitlementId, expandable }: GrantMapping) => [
  skipIf,
  principalId,
  entitlementId,
  ...(expandable?.ids ?? []),
];

/** Narrows the resources by a condition such as `.role != resource.ID`, which otherwise runs for each resource of each row. */
function candidatesOf(
  { resourceColumn }: GrantMapping,
  cols: Row,
  all: ReadonlyMap<string, Resource>,
): Iterable<Resource> {
  if (resourceColumn === undefined) return all.values();
  const resource = all.get(asText(cols[resourceColumn]));
  return resource ? [resource] : [];
}

function grantOf(mapping: GrantMapping, inputs: Inputs, resource: Resource): Grant | undefined {
  if (isTrue(mapping.skipIf, inputs)) return undefined;
  const principal = textOf(mapping.principalId, inputs);
  if (principal === '') throw new Error('its principal_id is empty');
  return {
    resource,
    entitlement: textOf(mapping.entitlementId, inputs),
    principal,
    principalType: mapping.principalType,
    expanded: expandedOf(mapping, inputs),
  };
}

function expandedOf({ expandable }: GrantMapping, inputs: Inputs): string[] | undefined {
  if (expandable === undefined) return undefined;
  if (isTrue(expandable.skipIf, inputs)) return [];
  return expandable.ids.length > 0 ? expandable.ids.map((id) => textOf(id, inputs)) : undefined;
}
