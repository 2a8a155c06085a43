import { Failure, type GroupRecord, type LicenseRecord } from '@gatehouse/connector';
import { asText, type Inputs, isTrue, requireColumns, textOf } from './expressions.ts';
import { type Reader, readQuery } from './paging.ts';
import type { Entitlement, TypePlan } from './plan.ts';

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

/** Reads the resources of a type and yields a group for each of their entitlements. */
export async function* readGroups(reader: Reader, plan: TypePlan, skip: Skip): AsyncGenerator<Group> {
  const { document } = reader;
  const seen = new Set<string>();
  const expressions = [
    plan.map.id,
    plan.map.name,
    plan.map.description,
    plan.map.maxCount,
    plan.map.usedCount,
  ];
  const resources: { resource: Resource; record: GroupRecord | LicenseRecord }[] = [];
  let number = 0;
  for await (const rows of readQuery(reader, plan.list)) {
    if (number === 0 && rows[0]) requireColumns(document, rows[0], expressions);
    for (const cols of rows) {
      number++;
      try {
        const ID = textOf(plan.map.id, { cols });
        if (ID === '') throw new Error('its id is empty');
        // Several rows may describe one resource: the first one counts.
        if (seen.has(ID)) continue;
        seen.add(ID);
        const DisplayName = textOf(plan.map.name, { cols }) || ID;
        const record = {
          id: ID,
          name: DisplayName,
          description: textOf(plan.map.description, { cols }) || null,
        };
        resources.push({
          resource: { ID, Type: plan.slug, DisplayName },
          record: { ...record, ...seats(plan, { cols }) },
        });
      } catch (error) {
        skip(`row ${number}`, (error as Error).message);
      }
    }
  }
  const ids = new Set<string>();
  for (const { resource, record } of resources) {
    for await (const group of groupsOf(reader, plan, resource, record, skip)) {
      if (ids.has(group.id)) throw new Failure(`two entitlements of ${plan.slug} have the id "${group.id}"`);
      ids.add(group.id);
      yield group;
    }
  }
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

async function* groupsOf(
  reader: Reader,
  plan: TypePlan,
  resource: Resource,
  record: GroupRecord | LicenseRecord,
  skip: Skip,
): AsyncGenerator<Group> {
  const rules = plan.statics ?? [];
  const inputs: Inputs = { resource, cols: {} };
  if (plan.dynamic === undefined && rules.length === 0) {
    yield { id: record.id, resource, entitlement: undefined, rule: undefined, record };
    return;
  }
  const made = (rule: Entitlement, given: Inputs): Group => {
    const entitlement = asText(rule.id.value(given));
    if (entitlement === '') throw new Error('the id of its entitlement is empty');
    const id = groupId(plan, resource.ID, entitlement);
    if (isItself(plan, entitlement)) return { id, resource, entitlement, rule, record: { ...record, id } };
    const name = textOf(rule.name, given) || entitlement;
    const full = name.includes(resource.DisplayName) ? name : `${resource.DisplayName}: ${name}`;
    return {
      id,
      resource,
      entitlement,
      rule,
      record: { ...record, id, name: full, description: textOf(rule.description, given) || null },
    };
  };
  for (const rule of rules) {
    try {
      yield made(rule, inputs);
    } catch (error) {
      skip(resource.ID, (error as Error).message);
    }
  }
  if (!plan.dynamic) return;
  const seen = new Set<string>();
  for await (const rows of readQuery(reader, plan.dynamic.query, inputs)) {
    for (const cols of rows) {
      for (const rule of plan.dynamic.map) {
        requireColumns(reader.document, cols, [rule.id, rule.name, rule.description, rule.skipIf]);
        try {
          if (isTrue(rule.skipIf, { resource, cols })) continue;
          const group = made(rule, { resource, cols });
          if (seen.has(group.id)) continue;
          seen.add(group.id);
          yield group;
        } catch (error) {
          skip(resource.ID, (error as Error).message);
        }
      }
    }
  }
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
