import { type Row, readable } from './drivers/driver.ts';
import { asText, type Inputs, isTrue, requireColumns, textOf } from './expressions.ts';
import { readQuery } from './paging.ts';
import type { GrantMapping, Plan, Query, TypePlan } from './plan.ts';
import { differentlyWritten } from './references.ts';
import { type Group, groupId, type Resource, readGroups, type Skip } from './resources.ts';
import { type Held, openSpool, type Spool } from './spool.ts';
import { bindWhole, type Reader, read } from './statements.ts';

/** The groups of a definition and who holds them. */
export type Holdings = { groups: ReadonlyMap<string, Group>; spool: Spool };

export const keyOf = ({ slug, id }: Held) => `${slug}\n${id}`;

/** Reports references to records that no list has: how many, and one of them. */
export type Unknown = (count: number, slug: string, example: string) => void;

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
  const spool = openSpool();
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
      await readGrants(reader, plan, resources, skip, found, unknown);
    }
    const matching = { plans, byType, groups, spool, unknown };
    await matchGroups(reader, matching, unmatched);
    await matchAccounts(reader, matching, accounts);
    spool.expand();
    return { groups, spool };
  } catch (error) {
    spool.close();
    throw error;
  }
}

function report(unknown: Unknown, slug: string, names: ReadonlySet<string>): void {
  const [example] = names;
  if (example !== undefined) unknown(names.size, slug, example);
}

/** A grant that a group has. */
type Nesting = { plan: TypePlan; grant: Grant; outer: Held; isShallow: boolean };

type Matching = {
  plans: TypePlan[];
  byType: ReadonlyMap<string, ReadonlyMap<string, Resource>>;
  groups: ReadonlyMap<string, Group>;
  spool: Spool;
  unknown: Unknown;
};

/** Finds the groups of grants that write their ids differently, and reports those that no list has. */
async function matchGroups(
  reader: Reader,
  { plans, byType, groups, spool, unknown }: Matching,
  unmatched: Nesting[],
): Promise<void> {
  for (const type of plans) {
    const names = new Set<string>();
    for (const plan of plans) {
      const own = unmatched.filter((each) => each.plan === plan && each.grant.principalType === type.slug);
      if (own.length === 0) continue;
      const asWritten = await principalsAsWritten(reader, plan, type, byType.get(plan.slug));
      for (const { grant, outer, isShallow } of own) {
        const principal = asWritten.get(grant.principal) ?? '';
        const inner = innerGroups(groups, plans, { ...grant, principal });
        for (const each of inner) spool.nest(each, outer, isShallow);
        if (inner.length === 0) names.add(grant.principal);
      }
    }
    report(unknown, type.slug, names);
  }
}

/** Finds the accounts of grants that write their ids differently, and reports those that the list does not have. */
async function matchAccounts(
  reader: Reader,
  { plans, byType, spool, unknown }: Matching,
  accounts: TypePlan,
): Promise<void> {
  const { slug, list, map } = accounts;
  if (!spool.hasMembers(slug)) return;
  for await (const rows of read(reader, list.statement.path, bindWhole(reader, list, {})))
    for (const cols of rows.map(readable)) spool.list(slug, idOf(map.id, cols));
  const unlisted = spool.unlisted(slug);
  if (unlisted.size === 0) return;
  for (const plan of plans)
    for (const [written, id] of await principalsAsWritten(reader, plan, accounts, byType.get(plan.slug)))
      if (unlisted.has(written)) spool.rename(slug, written, id);
  report(unknown, slug, spool.unlisted(slug));
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
  reader: Reader,
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
        const found = await differentlyWritten(reader, { query, inputs, name }, target);
        for (const [written, principal] of found) all.set(written, principal);
      }
  }
  return all;
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

/** Reads the grants of a type. A row that cannot be read is reported to `skip`, and resources that are not in the list to `unknown`. */
export async function readGrants(
  reader: Reader,
  plan: TypePlan,
  resources: ReadonlyMap<string, Resource>,
  skip: Skip,
  found: Found,
  unknown: Unknown,
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
      const asWritten = await resourcesAsWritten(reader, round);
      if (asWritten.size > 0) {
        round.missing.clear();
        await readRound(reader, { ...round, asWritten }, skip, found);
      }
      if (!query.isPerResource) report(unknown, plan.slug, round.missing);
    }
  }
}

async function resourcesAsWritten(
  reader: Reader,
  { plan, query, inputs, map, missing }: Round,
): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  const id = plan.map.id?.column;
  if (id === undefined) return all;
  const target = { query: plan.list, inputs: {}, name: id };
  for (const name of new Set(map.flatMap(({ resourceColumn }) => resourceColumn ?? [])))
    for (const [written, resource] of await differentlyWritten(reader, { query, inputs, name }, target))
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
