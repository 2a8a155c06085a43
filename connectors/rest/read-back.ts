import { type AccountRecord, giverBelow, type Ref, type Wanted } from '@gatehouse/connector';
import type { CompiledAccount, Entitlement } from './compiled.ts';
import type { Scope } from './expression.ts';
import { RequestError } from './failures.ts';
import { distinct, evaluate, fieldsOf, MappingError, refsIn } from './mapping.ts';
import { readGroup, readMembers, readParents, readRefs } from './members.ts';
import { isSameId, ownAccount } from './own-account.ts';
import { marked, readJoins, recentJoins, withHoldings } from './records.ts';
import { afterReply, outgoing, read, type System } from './system.ts';

/** Seconds for one request that reads within a task. */
export const READING = 30;

/** Returns the item of one account as the application describes it, or null. */
export async function readItem(system: System, type: CompiledAccount, id: string): Promise<unknown> {
  if (!type.read) return null;
  const scope = { account: { id } };
  const reply = await read(system, outgoing(system, type.read.request, scope), [404, 410], READING);
  if (reply.status === 404 || reply.status === 410) return null;
  return type.read.item(afterReply(system, scope, reply)) ?? null;
}

/** Reads one account with what it holds, or with what is wanted of it; null if there is none. */
export async function readAccount(
  system: System,
  type: CompiledAccount,
  id: string,
  wanted?: Wanted,
): Promise<AccountRecord | null> {
  const item = await readItem(system, type, id);
  if (item === null || type.list.skip?.({ item, settings: system.settings }) === true) return null;
  if (wanted) return readWanted(system, type, id, item, wanted);
  const scope = (await recentJoins(system, type))(item);
  const fields = sameAccount(type, id, fieldsOf(type.record, scope));
  const { holders } = await readMembers(system, type);
  const own = await ownAccount(system, type);
  return withHoldings(system, type, scope, marked(fields, own), holders.get(fields.id));
}

/** An application that ignores a filter returns somebody else. */
function sameAccount<F extends { id: string }>({ read: reading }: CompiledAccount, id: string, fields: F): F {
  if (isSameId(fields.id, id)) return fields;
  throw new RequestError(
    `asked for the account ${id}, the application returned ${fields.id}; check "read" (${reading?.request.method})`,
  );
}

/** Reads an account, and which of the wanted groups and licenses it holds. */
async function readWanted(
  system: System,
  type: CompiledAccount,
  id: string,
  item: unknown,
  { entitlements }: Wanted,
): Promise<AccountRecord> {
  const slugs = [...new Set(entitlements.map(({ slug }) => slug))];
  const sources = type.memberships.filter(({ slug }) => slugs.includes(slug));
  const evaluated = (scope: Scope) => ({
    fields: sameAccount(type, id, fieldsOf(type.record, scope)),
    values: new Map(
      sources.flatMap(({ slug, source }) =>
        'value' in source ? [[slug, refsIn(evaluate(source.value, scope, slug), slug)] as const] : [],
      ),
    ),
  });
  const { fields, values } = await withJoins(system, type, item, evaluated);
  const held = async (entitlement: Entitlement): Promise<Ref[] | undefined> => {
    const { slug, members } = entitlement;
    const source = sources.find((each) => each.slug === slug)?.source;
    const isListed = members?.accounts === type.slug;
    if (source === undefined && !isListed) return undefined;
    const refs = values.get(slug) ?? [];
    if (source && 'list' in source) refs.push(...(await readRefs(system, source, fields, slug)));
    if (!isListed) return distinct(refs);
    const isNamed = (id: string) => refs.some((ref) => ref.id === id && ref.via == null);
    for (const group of entitlements.filter((each) => each.slug === slug && !isNamed(each.id))) {
      const ref = await membershipIn(system, entitlement, group, fields.id);
      if (ref === undefined) return undefined;
      if (ref !== 'no') refs.push(ref);
    }
    return distinct(refs);
  };
  const of = async (kind: Entitlement['kind']) => {
    const found: Record<string, Ref[] | undefined> = {};
    for (const entitlement of system.compiled.entitlements)
      if (entitlement.kind === kind && slugs.includes(entitlement.slug))
        found[entitlement.slug] = await held(entitlement);
    return found;
  };
  return { ...(fields as AccountRecord), memberships: await of('group'), assignments: await of('license') };
}

/** Reads the lists of joins only if the expressions need them, and not from the time before the task. */
async function withJoins<T>(
  system: System,
  { joins }: CompiledAccount,
  item: unknown,
  work: (scope: Scope) => T,
): Promise<T> {
  const { settings } = system;
  if (joins.length === 0) return work({ item, settings });
  // An expression that uses a join fails with this scope: CEL does not see its name, and a path reads it.
  const joined = {};
  const get = () => {
    throw new MappingError('the joins were not read');
  };
  for (const { name } of joins) Object.defineProperty(joined, name, { get });
  try {
    return work({ item, settings, joined });
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return work((await readJoins(system, joins))(item));
  }
}

/** Returns how an account holds a group or license that has a list of members. Undefined: the application does not show the group. */
async function membershipIn(
  system: System,
  entitlement: Entitlement,
  group: Wanted['entitlements'][number],
  account: string,
): Promise<Ref | 'no' | undefined> {
  const { members, slug } = entitlement;
  if (!members) return 'no';
  const ref: Ref = { id: group.id, ...(group.name ? { name: group.name } : {}) };
  try {
    const { accounts, groups } = await readGroup(system, members, { ...group, name: group.name ?? null });
    if (accounts.includes(account)) return ref;
    if (groups.length === 0 && !members.parent) return 'no';
  } catch (error) {
    // The group may be gone, or hidden from these credentials.
    if (error instanceof RequestError && error.status === 404) return undefined;
    throw error;
  }
  const giver = await giverOf(system, entitlement, group.id, account);
  return giver === undefined ? 'no' : { ...ref, via: { slug, id: giver } };
}

/** Returns the group in a group, or its parent, that gives it to an account. */
export async function giverOf(
  system: System,
  entitlement: Entitlement,
  id: string,
  account: string,
): Promise<string | undefined> {
  const { members } = entitlement;
  if (!members?.group && !members?.parent) return undefined;
  const parents = await readParents(system, entitlement);
  return giverBelow(id, account, (group) =>
    readGroup(system, members, { id: group, name: null }, parents.get(group)),
  );
}
