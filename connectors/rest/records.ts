import {
  type AccountRecord,
  type DirectMembers,
  type GroupRecord,
  type LicenseRecord,
  type ListContext,
  membersWithin,
  type Ref,
} from '@gatehouse/connector';
import type { CompiledAccount, CompiledList, Entitlement, Join, Members } from './compiled.ts';
import { mapOrdered } from './concurrency.ts';
import { kindOf, type Scope, type Value } from './expression.ts';
import { isSameId, ownAccount } from './own-account.ts';
import { pagesOf, settledPages } from './pages.ts';
import type { System } from './system.ts';

type Fields = Record<string, unknown> & { id: string };
type Skip = ListContext['skip'];
/** References by slug of the group or license. */
export type Holdings = Map<string, Ref[]>;

export async function* listEntitlements(
  system: System,
  { list, record }: Entitlement,
  { skip }: Pick<ListContext, 'skip'>,
): AsyncGenerator<GroupRecord & LicenseRecord> {
  for await (const { fields } of recordsOf(system, list, record, skip))
    yield fields as GroupRecord & LicenseRecord;
}

/** Lists accounts with what they hold. Joins and lists that name the members of a group are read first. */
export async function* listAccounts(
  system: System,
  account: CompiledAccount,
  { skip }: Pick<ListContext, 'skip'>,
): AsyncGenerator<AccountRecord> {
  const holders = await readMembers(system, account);
  const joinTo = await readJoins(system, account.joins);
  const own = await ownAccount(system, account);
  const records = recordsOf(system, account.list, account.record, skip, joinTo);
  const complete = ({ scope, fields }: Mapped) =>
    withHoldings(system, account, scope, marked(fields, own), holders.get(fields.id)).catch(
      (error: unknown) => {
        if (!(error instanceof MappingError)) throw error;
        skip(fields.id, error.message);
        return undefined;
      },
    );
  for await (const record of mapOrdered(records, system.concurrency, complete)) if (record) yield record;
}

/** Marks the account with which the connector signs in. */
export const marked = (fields: Fields, own: string | null): Fields =>
  own !== null && isSameId(fields.id, own) ? { ...fields, is_own: true } : fields;

/** Adds to the fields of an account its groups and licenses. */
export async function withHoldings(
  system: System,
  account: CompiledAccount,
  scope: Scope,
  fields: Fields,
  held: Holdings = new Map(),
): Promise<AccountRecord> {
  const all: Holdings = new Map([...held].map(([slug, refs]) => [slug, [...refs]]));
  for (const { slug, source } of account.memberships) {
    const refs =
      'value' in source
        ? refsIn(evaluate(source.value, scope, slug), slug)
        : await readRefs(system, source, fields, slug);
    all.set(slug, [...(all.get(slug) ?? []), ...refs]);
  }
  const of = (kind: Entitlement['kind']) => {
    const slugs = system.compiled.entitlements.filter((each) => each.kind === kind).map(({ slug }) => slug);
    return Object.fromEntries(slugs.map((slug) => [slug, distinct(all.get(slug) ?? [])]));
  };
  return { ...fields, memberships: of('group'), assignments: of('license') } as AccountRecord;
}

/** Reads the lists of joins. Returns a function that gives expressions an item together with the items joined to it. */
export async function readJoins(system: System, joins: Join[]): Promise<(item: unknown) => Scope> {
  const { settings } = system;
  const tables: [Join, Map<string, unknown>][] = [];
  for (const join of joins) {
    const table = new Map<string, unknown>();
    for await (const { item } of wholeItemsOf(system, join.list)) {
      const what = `the key of ${join.name}`;
      const key = required(textOf(evaluate(join.key, { item, settings }, what), what), what);
      if (!table.has(key)) table.set(key, item);
    }
    tables.push([join, table]);
  }
  return (item) => {
    const joined = tables.map(([join, table]) => {
      const key = textOf(evaluate(join.for, { item, settings }, join.name), join.name);
      return [join.name, key === null ? null : (table.get(key) ?? null)] as const;
    });
    return { item, joined: Object.fromEntries(joined), settings };
  };
}

type JoinTo = Awaited<ReturnType<typeof readJoins>>;
const RECENT_MS = 60_000;
const recent = new WeakMap<System, Map<string, { at: number; joins: Promise<JoinTo> }>>();

/** Reads joins at most once a minute. A batch of tasks would otherwise read whole lists after each account that it creates. */
export function recentJoins(system: System, { slug, joins }: CompiledAccount): Promise<JoinTo> {
  const known = recent.get(system) ?? new Map();
  recent.set(system, known);
  const earlier = known.get(slug);
  if (earlier !== undefined && Date.now() - earlier.at < RECENT_MS) return earlier.joins;
  const read = readJoins(system, joins);
  known.set(slug, { at: Date.now(), joins: read });
  read.catch(() => known.delete(slug));
  return read;
}

/** Reads, for each group and license with `members`, which accounts of a type hold it, directly or through a group in it. */
export async function readMembers(system: System, account: CompiledAccount): Promise<Map<string, Holdings>> {
  const holders = new Map<string, Holdings>();
  for (const { slug, list, record, members } of system.compiled.entitlements) {
    if (members?.accounts !== account.slug) continue;
    const groups = recordsOf(system, list, record, refuse);
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
  }
  return holders;
}

function requireParents(slug: string, all: Map<string, GroupMembers>): void {
  for (const { ref, parent } of all.values())
    if (parent && !all.has(parent))
      throw new Error(`the ${slug} '${ref.id}' inherits the members of '${parent}', which is not listed`);
}

type GroupMembers = DirectMembers & { ref: Ref; parent: string | null };

const parentOf = ({ parent }: Members, scope: Scope): string | null =>
  parent ? textOf(evaluate(parent, scope, 'parent'), 'parent') : null;

/** Reads the parent of each group of a type. */
export async function readParents(
  system: System,
  { list, record, members }: Entitlement,
): Promise<Map<string, string | null>> {
  const parents = new Map<string, string | null>();
  if (!members?.parent) return parents;
  for await (const { scope, fields } of recordsOf(system, list, record, refuse))
    parents.set(fields.id, parentOf(members, scope));
  return parents;
}

/** Reads the members of a group. Those of its parent belong to it like those of a group in it. */
export async function readGroup(
  system: System,
  members: Members,
  group: Fields,
  parent: string | null = null,
): Promise<GroupMembers> {
  const accounts: string[] = [];
  const groups: string[] = parent ? [parent] : [];
  for await (const { item } of wholeItemsOf(system, members.list, { group })) {
    const scope = { item, group, settings: system.settings };
    const nested = members.group && textOf(evaluate(members.group, scope, 'group'), 'group');
    if (nested) groups.push(nested);
    else accounts.push(required(textOf(evaluate(members.account, scope, 'account')), 'account'));
  }
  return { ref: { id: group.id, name: group.name as string }, accounts, groups, parent };
}

export async function readRefs(
  system: System,
  { list, id, name, via }: { list: CompiledList; id: Value; name: Value | undefined; via: Value | undefined },
  account: Fields,
  slug: string,
): Promise<Ref[]> {
  const refs: Ref[] = [];
  for await (const { item } of wholeItemsOf(system, list, { account })) {
    const scope = { item, account, settings: system.settings };
    refs.push(
      refOf(
        {
          id: evaluate(id, scope, slug),
          name: name && evaluate(name, scope, slug),
          via: via && evaluate(via, scope, slug),
        },
        slug,
      ),
    );
  }
  return refs;
}

type Mapped = { scope: Scope; fields: Fields };

/** Yields the records of a list. Skips, with a report, those that cannot be mapped. */
async function* recordsOf(
  system: System,
  list: CompiledList,
  record: [string, Value][],
  skip: Skip,
  scopeOf = (item: unknown): Scope => ({ item, settings: system.settings }),
): AsyncGenerator<Mapped> {
  for await (const { item, place } of itemsOf(system, list)) {
    try {
      const scope = scopeOf(item);
      yield { scope, fields: fieldsOf(record, scope) };
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      skip(error.id ?? `number ${place}`, error.message);
    }
  }
}

export async function* itemsOf(
  system: System,
  list: CompiledList,
  scope: Record<string, unknown> = {},
  pages: AsyncIterable<unknown[]> | Iterable<unknown[]> = pagesOf(system, list, scope),
) {
  let place = 0;
  for await (const items of pages) {
    for (const item of items) {
      place++;
      const isSkipped =
        list.skip && evaluate(list.skip, { ...scope, item, settings: system.settings }, 'skip');
      if (isSkipped !== undefined && typeof isSkipped !== 'boolean')
        throw new Error(`skip is ${kindOf(isSkipped)}, but must be true or false`);
      if (!isSkipped) yield { item, place };
    }
  }
}

/** The items of a list that the runner does not compare by their ids. */
async function* wholeItemsOf(system: System, list: CompiledList, scope: Record<string, unknown> = {}) {
  yield* itemsOf(system, list, scope, await settledPages(system, list, scope));
}

/** The fields that are not text. */
const AS_FOUND = ['is_own', 'is_paid', 'is_unlimited', 'max_count', 'used_count', 'attributes'];

/** Maps the item of a scope to the fields of a record. */
export function fieldsOf(record: [string, Value][], scope: Scope): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of record) {
    try {
      const found = evaluate(value, scope, name);
      fields[name] = AS_FOUND.includes(name) ? found : textOf(found, name);
      if (name === 'id') required(fields.id, 'id');
    } catch (error) {
      if (error instanceof MappingError) error.id ??= typeof fields.id === 'string' ? fields.id : undefined;
      throw error;
    }
  }
  return fields as Fields;
}

/** An item that the expressions of the definition do not fit. */
export class MappingError extends Error {
  override name = 'MappingError';
  id: string | undefined;
}

export function evaluate(value: Value, scope: Scope, what: string): unknown {
  try {
    return value(scope);
  } catch (error) {
    throw new MappingError(`${what}: ${(error as Error).message}`);
  }
}

/** Returns a value as text. Ids are often numbers. */
function textOf(value: unknown, what = 'the value'): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new MappingError(`${what} is ${kindOf(value)}, but must be text`);
}

function required(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw new MappingError(`${what} is empty`);
  return value;
}

/** Accepts ids, and maps with id, name and via. A missing list is not an empty one: nobody would notice what is lost. */
export function refsIn(value: unknown, what: string): Ref[] {
  if (!Array.isArray(value)) throw new MappingError(`${what} is ${kindOf(value)}, but must be a list`);
  return value.map((each) =>
    refOf(typeof each === 'object' && each !== null ? (each as RawRef) : { id: each }, what),
  );
}

type RawRef = { id?: unknown; name?: unknown; via?: unknown };

function refOf({ id, name, via }: RawRef, what: string): Ref {
  const label = textOf(name, what);
  const giver = via === undefined || via === null ? undefined : giverOf(via, what);
  return {
    id: required(textOf(id, what), what),
    ...(label ? { name: label } : {}),
    ...(giver ? { via: giver } : {}),
  };
}

function giverOf(via: unknown, what: string): { slug: string; id: string } {
  const { slug, id } = (typeof via === 'object' ? via : {}) as { slug?: unknown; id?: unknown };
  return { slug: required(slug, `via.slug of ${what}`), id: required(textOf(id), `via.id of ${what}`) };
}

/** Returns each group or license once. Keeps a direct one, or else the one whose giver sorts first. */
export function distinct(refs: Ref[]): Ref[] {
  const rank = ({ via }: Ref) => (via ? `${via.slug} ${via.id}` : '');
  const found = new Map<string, Ref>();
  for (const ref of refs) {
    const other = found.get(ref.id);
    if (!other || rank(ref) < rank(other)) found.set(ref.id, ref);
  }
  return [...found.values()];
}

/** A group that cannot be mapped has been reported when groups were listed. Its members would be lost, so this is an error. */
const refuse: Skip = (id, why) => {
  throw new Error(`'${id}' cannot be read: ${why}`);
};
