import {
  type DirectMembers,
  groupsWithin,
  membersWithin,
  openTally,
  type Ref,
  type Tally,
} from '@gatehouse/connector';
import type { CompiledAccount, CompiledList, Entitlement, Members } from './compiled.ts';
import { mapOrdered } from './concurrency.ts';
import type { Scope, Value } from './expression.ts';
import { digestOf, itemsOf, settledItems } from './items.ts';
import { evaluate, type Fields, fieldsOf, MappingError, refOf, required, textOf } from './mapping.ts';
import type { System } from './system.ts';

/** References by slug of the group or license. */
export type Holdings = Map<string, Ref[]>;
/** The holdings of each account by its id, and the members that the groups leave out. */
export type AllMembers = { holders: Map<string, Holdings>; hidden: Tally };

/** Reads, for each group and license with `members`, which accounts of a type hold it, directly or through a group in it. */
export async function readMembers(system: System, account: CompiledAccount): Promise<AllMembers> {
  const holders = new Map<string, Holdings>();
  const hidden = openTally();
  for (const entitlement of system.compiled.entitlements) {
    const { slug, members } = entitlement;
    if (members?.accounts !== account.slug) continue;
    const { groups, leftOut } = await readGroups(system, entitlement);
    const read = ({ scope, fields }: Mapped) => readGroup(system, members, fields, parentOf(members, scope));
    const all = new Map<string, GroupMembers>();
    for await (const group of mapOrdered(groups, system.concurrency, read)) {
      if (all.has(group.ref.id))
        throw new Error(`the list of ${slug} has '${group.ref.id}' twice, so another one may be missing`);
      all.set(group.ref.id, group);
    }
    requireParents(slug, all);
    for (const { ref } of all.values()) {
      for (const [id, child] of membersWithin(ref.id, all)) {
        const holdings = holders.get(id) ?? (new Map() as Holdings);
        const held = child === undefined ? ref : { ...ref, via: { slug, id: child } };
        holdings.set(slug, [...(holdings.get(slug) ?? []), held]);
        holders.set(id, holdings);
      }
    }
    countHidden(slug, all, leftOut, hidden);
  }
  return { holders, hidden };
}

/**
 * Counts what each group leaves out, also through groups in it: members that the definition skips, and groups that no list has. Members of
 * such a group, and so some of this one, are unknown.
 */
function countHidden(
  slug: string,
  all: Map<string, GroupMembers>,
  leftOut: ReadonlySet<string>,
  hidden: Tally,
): void {
  for (const { ref } of all.values()) {
    for (const id of groupsWithin(ref.id, all)) {
      const group = all.get(id);
      if (group) hidden.add({ slug, id: ref.id, rule: 'filter', count: group.skipped });
      else hidden.add({ slug, id: ref.id, rule: leftOut.has(id) ? 'filter' : 'unreadable', count: 1 });
    }
  }
}

function requireParents(slug: string, all: Map<string, GroupMembers>): void {
  for (const { ref, parent } of all.values())
    if (parent && !all.has(parent))
      throw new Error(`the ${slug} '${ref.id}' inherits the members of '${parent}', which is not listed`);
}

type GroupMembers = DirectMembers & { ref: Ref; parent: string | null; skipped: number };
type Mapped = { scope: Scope; fields: Fields };

const parentOf = ({ parent }: Members, scope: Scope): string | null =>
  parent ? textOf(evaluate(parent, scope, 'parent'), 'parent') : null;

const readings = new WeakMap<System, Map<string, string>>();

/** Notes which groups their list has, so that the lists of members need not read it twice. */
export function rememberGroups(system: System, { slug }: Entitlement, ids: string[]): void {
  const known = readings.get(system) ?? new Map<string, string>();
  readings.set(system, known.set(slug, digestOf(ids)));
}

/** Reads the groups of a type, and the ids of those that the definition skips. */
async function readGroups(
  system: System,
  { slug, list, record }: Entitlement,
): Promise<{ groups: Mapped[]; leftOut: Set<string> }> {
  const leftOut = new Set<string>();
  const scopeOf = (item: unknown) => ({ item, settings: system.settings });
  const leaveOut = (item: unknown) => void leftOut.add(idIn(record, scopeOf(item)) ?? '');
  async function* read(beforeNext: () => void): AsyncGenerator<Mapped> {
    for await (const { item, place } of itemsOf(system, list, {}, { beforeNext, leaveOut })) {
      const scope = scopeOf(item);
      yield { scope, fields: groupOf(record, scope, place) };
    }
  }
  const known = readings.get(system)?.get(slug);
  const groups = await settledItems(`the list of ${slug}`, read, ({ fields }) => fields.id, known);
  return { groups, leftOut };
}

/** A group that cannot be mapped has been reported when groups were listed. Its members would be lost, so this is an error. */
function groupOf(record: [string, Value][], scope: Scope, place: number): Fields {
  try {
    return fieldsOf(record, scope);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new Error(`'${error.id ?? `number ${place}`}' cannot be read: ${error.message}`);
  }
}

/** Returns the id of an item that the definition skips, if it has one. */
export function idIn(record: [string, Value][], scope: Scope): string | undefined {
  try {
    return fieldsOf(
      record.filter(([name]) => name === 'id'),
      scope,
    ).id;
  } catch {
    return undefined;
  }
}

/** Reads the parent of each group of a type. */
export async function readParents(
  system: System,
  entitlement: Entitlement,
): Promise<Map<string, string | null>> {
  const { members } = entitlement;
  if (!members?.parent) return new Map();
  const { groups } = await readGroups(system, entitlement);
  return new Map(groups.map(({ scope, fields }) => [fields.id, parentOf(members, scope)]));
}

type Member = { isGroup: boolean; id: string };

/** Reads the members of a group. Those of its parent belong to it like those of a group in it. */
export async function readGroup(
  system: System,
  members: Members,
  group: Fields,
  parent: string | null = null,
): Promise<GroupMembers> {
  let skipped = 0;
  async function* read(beforeNext: () => void): AsyncGenerator<Member> {
    skipped = 0;
    const leaveOut = () => void skipped++;
    for await (const { item } of itemsOf(system, members.list, { group }, { beforeNext, leaveOut })) {
      const scope = { item, group, settings: system.settings };
      const nested = members.group && textOf(evaluate(members.group, scope, 'group'), 'group');
      const id = nested || required(textOf(evaluate(members.account, scope, 'account')), 'account');
      yield { isGroup: Boolean(nested), id };
    }
  }
  const what = `the members of '${group.name ?? group.id}'`;
  const all = await settledItems(what, read, ({ isGroup, id }) => `${isGroup} ${id}`);
  const ids = (isGroup: boolean) => all.flatMap((each) => (each.isGroup === isGroup ? [each.id] : []));
  return {
    ref: { id: group.id, name: group.name as string },
    accounts: ids(false),
    groups: [...(parent ? [parent] : []), ...ids(true)],
    parent,
    skipped,
  };
}

type Source = { list: CompiledList; id: Value; name: Value | undefined; via: Value | undefined };

/** Reads the groups or licenses of an account from a list of its own. */
export async function readRefs(
  system: System,
  { list, id, name, via }: Source,
  account: Fields,
  slug: string,
): Promise<Ref[]> {
  async function* read(beforeNext: () => void): AsyncGenerator<Ref> {
    for await (const { item } of itemsOf(system, list, { account }, { beforeNext })) {
      const scope = { item, account, settings: system.settings };
      yield refOf(
        {
          id: evaluate(id, scope, slug),
          name: name && evaluate(name, scope, slug),
          via: via && evaluate(via, scope, slug),
        },
        slug,
      );
    }
  }
  const keyOf = ({ id: ref, via: giver }: Ref) => JSON.stringify([ref, giver?.slug, giver?.id]);
  return settledItems(`the ${slug} of the account '${account.id}'`, read, keyOf);
}
