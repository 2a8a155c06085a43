import type { Comparison } from './comparison.ts';
import type { Row } from './drivers/driver.ts';
import { asText, type Inputs, isTrue, requireColumns, textOf } from './expressions.ts';
import { readQuery } from './paging.ts';
import type { GrantMapping, Query, TypePlan } from './plan.ts';
import { groupId, type Resource, type Skip } from './resources.ts';
import type { Held } from './spool.ts';
import type { Reader } from './statements.ts';

export type Grant = {
  resource: Resource;
  entitlement: string;
  principal: string;
  principalType: string;
  /** Entitlements whose holders have the grant, as type:resource:entitlement. Undefined: those of the principal. */
  expanded: string[] | undefined;
};

/** Reports references to records of a type that no list has. */
export type Unknown = (slug: string, names: ReadonlySet<string>) => void;

/** Returns the group that a grant means. Throws if the definition has no such entitlement. */
export function grantedGroup(plan: TypePlan, grant: Grant): Held {
  if (plan.statics?.every(({ id }) => id.text !== grant.entitlement)) throw noSuchEntitlement(plan, grant);
  return { slug: plan.slug, id: groupId(plan, grant.resource.ID, grant.entitlement) };
}

export const noSuchEntitlement = ({ slug }: TypePlan, { resource, entitlement }: Grant) =>
  new Error(`${slug} '${resource.ID}' has no entitlement "${entitlement}"`);

export type Found = (grant: Grant, mapping: GrantMapping) => void;

/** The receivers of what is read: rows that cannot be read, grants, and resources that are not in the list. */
export type Receivers = { skip: Skip; found: Found; unknown: Unknown };

/** Reads the grants of a type. */
export async function readGrants(
  reader: Reader,
  comparison: Comparison,
  { plan, resources }: { plan: TypePlan; resources: ReadonlyMap<string, Resource> },
  { skip, found, unknown }: Receivers,
): Promise<void> {
  if (resources.size === 0) return;
  for (const { query, map } of plan.grants) {
    // A query that does not name the resource returns the same rows for each one, so it runs once.
    const rounds: Pick<Round, 'candidates' | 'inputs'>[] = query.isPerResource
      ? [...resources.values()].map((resource) => ({
          candidates: new Map([[resource.ID, resource]]),
          inputs: { resource },
        }))
      : [{ candidates: resources, inputs: {} }];
    for (const each of rounds) {
      const round: Round = { plan, query, map, ...each, asWritten: new Map(), missing: new Set() };
      await readRound(reader, round, skip, found);
      if (round.missing.size === 0) continue;
      const asWritten = await resourcesAsWritten(comparison, round);
      if (asWritten.size > 0) {
        round.missing.clear();
        await readRound(reader, { ...round, asWritten }, skip, found);
      }
      if (!query.isPerResource) unknown(plan.slug, round.missing);
    }
  }
}

async function resourcesAsWritten(
  comparison: Comparison,
  { plan, query, inputs, map, missing }: Round,
): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  const id = plan.map.id?.column;
  if (id === undefined) return all;
  const target = { query: plan.list, inputs: {}, name: id };
  for (const name of new Set(map.flatMap(({ resourceColumn }) => resourceColumn ?? [])))
    for (const [written, resource] of await comparison.differentlyWritten({ query, inputs, name }, target))
      if (missing.has(written)) all.set(written, resource);
  return all;
}

type Round = {
  plan: TypePlan;
  query: Query;
  map: GrantMapping[];
  candidates: ReadonlyMap<string, Resource>;
  inputs: Inputs;
  /** Ids of resources by what a row has for them. */
  asWritten: ReadonlyMap<string, string>;
  /** Takes the resources of rows that are not among the candidates. */
  missing: Set<string>;
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

function mapRow(round: Round, cols: Row, found: Found): void {
  for (const mapping of round.map) {
    for (const resource of candidatesOf(mapping, cols, round)) {
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
  { candidates, asWritten, missing }: Round,
): Iterable<Resource> {
  if (resourceColumn === undefined) return candidates.values();
  const written = asText(cols[resourceColumn]);
  const resource = candidates.get(written) ?? candidates.get(asWritten.get(written) ?? '');
  if (!resource) missing.add(written);
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
