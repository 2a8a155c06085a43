import { Failure, type GroupRecord, type LicenseRecord } from '@gatehouse/connector';
import { asText, type Inputs, isTrue, requireColumns, textOf } from './expressions.ts';
import { readQuery } from './paging.ts';
import type { Entitlement, TypePlan } from './plan.ts';
import type { Reader } from './statements.ts';

export type Skip = (id: string, why: string) => void;

/** A resource as expressions see it. */
export type Resource = { ID: string; Type: string; DisplayName: string };

/** A group or license: an entitlement of a resource. */
export type Group = {
  id: string;
  resource: Resource;
  /** Undefined for a resource without entitlements. */
  entitlement: string | undefined;
  rule: Entitlement | undefined;
  record: GroupRecord | LicenseRecord;
};

/** Entitlements that mean the resource itself. */
const MEMBER = /^(?:members?|membership|assigned|assignment|access|belongs)$/i;

type Listed = { resource: Resource; record: GroupRecord | LicenseRecord };

/** Reads the resources of a type and yields a group for each of their entitlements. */
export async function* readGroups(reader: Reader, plan: TypePlan, skip: Skip): AsyncGenerator<Group> {
  const ids = new Set<string>();
  // One result is read at a time, and entitlements may need queries of their own.
  for (const listed of await readResources(reader, plan, skip)) {
    for await (const group of groupsOf(reader, plan, listed, skip)) {
      if (ids.has(group.id)) throw new Failure(`two entitlements of ${plan.slug} have the id "${group.id}"`);
      ids.add(group.id);
      yield group;
    }
  }
}

async function readResources(reader: Reader, plan: TypePlan, skip: Skip): Promise<Iterable<Listed>> {
  const listed = new Map<string, Listed>();
  let number = 0;
  for await (const rows of readQuery(reader, plan.list)) {
    if (number === 0 && rows[0]) requireColumns(reader.document, rows[0], Object.values(plan.map));
    for (const cols of rows) {
      number++;
      try {
        const one = resourceOf(plan, { cols });
        // Several rows may describe one resource: the first one counts.
        if (!listed.has(one.resource.ID)) listed.set(one.resource.ID, one);
      } catch (error) {
        skip(`row ${number}`, (error as Error).message);
      }
    }
  }
  return listed.values();
}

function resourceOf(plan: TypePlan, inputs: Inputs): Listed {
  const ID = textOf(plan.map.id, inputs);
  if (ID === '') throw new Error('its id is empty');
  const DisplayName = textOf(plan.map.name, inputs) || ID;
  const description = textOf(plan.map.description, inputs) || null;
  const record = { id: ID, name: DisplayName, description, ...seats(plan, inputs) };
  return { resource: { ID, Type: plan.slug, DisplayName }, record };
}

function seats(plan: TypePlan, inputs: Inputs): Partial<LicenseRecord> {
  const count = (value: unknown) =>
    value === null || value === undefined || value === '' ? null : Number(value);
  if (plan.kind !== 'license') return {};
  const { maxCount, usedCount } = plan.map;
  return {
    ...(maxCount ? { max_count: count(maxCount.value(inputs)) } : {}),
    ...(usedCount ? { used_count: count(usedCount.value(inputs)) } : {}),
  };
}

async function* groupsOf(reader: Reader, plan: TypePlan, listed: Listed, skip: Skip): AsyncGenerator<Group> {
  const { resource, record } = listed;
  const { statics = [], dynamic } = plan;
  if (dynamic === undefined && statics.length === 0)
    yield { id: record.id, resource, entitlement: undefined, rule: undefined, record };
  const attempt = (rule: Entitlement, inputs: Inputs): Group | undefined => {
    try {
      return isTrue(rule.skipIf, inputs) ? undefined : groupOf(plan, listed, rule, inputs);
    } catch (error) {
      skip(resource.ID, (error as Error).message);
      return undefined;
    }
  };
  for (const rule of statics) {
    const group = attempt(rule, { resource, cols: {} });
    if (group) yield group;
  }
  if (!dynamic) return;
  const seen = new Set<string>();
  for await (const rows of readQuery(reader, dynamic.query, { resource })) {
    const [first = {}] = rows;
    for (const rule of dynamic.map)
      requireColumns(reader.document, first, [rule.id, rule.name, rule.description, rule.skipIf]);
    const groups = rows.flatMap((cols) => dynamic.map.map((rule) => attempt(rule, { resource, cols })));
    for (const group of groups) {
      if (group === undefined || seen.has(group.id)) continue;
      seen.add(group.id);
      yield group;
    }
  }
}

function groupOf(plan: TypePlan, { resource, record }: Listed, rule: Entitlement, inputs: Inputs): Group {
  const entitlement = asText(rule.id.value(inputs));
  if (entitlement === '') throw new Error('the id of its entitlement is empty');
  const id = groupId(plan, resource.ID, entitlement);
  if (isItself(plan, entitlement)) return { id, resource, entitlement, rule, record: { ...record, id } };
  const said = textOf(rule.name, inputs) || entitlement;
  const name = said.includes(resource.DisplayName) ? said : `${resource.DisplayName}: ${said}`;
  const description = textOf(rule.description, inputs) || null;
  return { id, resource, entitlement, rule, record: { ...record, id, name, description } };
}

/** True if an entitlement means the resource itself: a membership, or the only one there can be. */
function isItself({ statics, dynamic }: TypePlan, entitlement: string): boolean {
  if (dynamic) return MEMBER.test(entitlement);
  const ids = (statics ?? []).map(({ id }) => id.text);
  return ids.length === 1 || ids.find((id) => MEMBER.test(id)) === entitlement;
}

const hasSeveral = ({ statics, dynamic }: TypePlan) => dynamic !== undefined || (statics?.length ?? 0) > 1;
const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('#', '%23');
const unescaped = (text: string) => text.replaceAll('%23', '#').replaceAll('%25', '%');

/** Returns the id of the group for an entitlement: that of the resource, followed by # and the entitlement if it is another one. */
export function groupId(plan: TypePlan, resource: string, entitlement: string | undefined): string {
  if (entitlement === undefined || !hasSeveral(plan)) return resource;
  return isItself(plan, entitlement) ? escaped(resource) : `${escaped(resource)}#${escaped(entitlement)}`;
}

/** The reverse of groupId. The rule is undefined if the definition has no such entitlement. */
export function entitlementOf(
  plan: TypePlan,
  group: string,
): { resource: string; entitlement: string; rule: Entitlement | undefined } {
  const ofStatic = (entitlement: string | undefined) =>
    plan.statics?.find(({ id }) => id.text === entitlement);
  if (!hasSeveral(plan)) {
    const rule = plan.statics?.[0];
    return { resource: group, entitlement: rule?.id.text ?? '', rule };
  }
  const [resource = '', other] = group.split('#').map(unescaped);
  const own = plan.statics?.map(({ id }) => id.text).find((id) => isItself(plan, id)) ?? 'member';
  const entitlement = other ?? own;
  // A provisioning section of any row applies to all entitlements of a query.
  const rule = plan.dynamic
    ? plan.dynamic.map.find(({ grant, revoke }) => grant ?? revoke)
    : ofStatic(entitlement);
  return { resource, entitlement, rule };
}
