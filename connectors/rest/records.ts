import {
  type AccountRecord,
  followMembers,
  type GroupRecord,
  type LicenseRecord,
  type ListContext,
} from '@gatehouse/connector';
import type { CompiledAccount, Entitlement, Join } from './compiled.ts';
import { mapOrdered } from './concurrency.ts';
import type { Scope } from './expression.ts';
import { itemsOf, settledItems } from './items.ts';
import {
  distinct,
  evaluate,
  type Fields,
  fieldsOf,
  MappingError,
  refsIn,
  required,
  textOf,
} from './mapping.ts';
import { type Holdings, idIn, readMembers, readRefs, rememberGroups } from './members.ts';
import { isSameId, ownAccount } from './own-account.ts';
import type { System } from './system.ts';

type Reports = Pick<ListContext, 'skip' | 'unseen' | 'mayShift'>;
type Mapped = { scope: Scope; fields: Fields };

export async function* listEntitlements(
  system: System,
  entitlement: Entitlement,
  reports: Reports,
): AsyncGenerator<GroupRecord & LicenseRecord> {
  const ids: string[] = [];
  let skipped = 0;
  for await (const { fields } of recordsOf(system, entitlement, reports, () => void skipped++)) {
    ids.push(fields.id);
    yield fields as GroupRecord & LicenseRecord;
  }
  rememberGroups(system, entitlement, ids);
  if (skipped > 0) reports.unseen({ slug: entitlement.slug, rule: 'filter', count: skipped });
}

/** Lists accounts with what they hold. Joins and lists that name the members of a group are read first. */
export async function* listAccounts(
  system: System,
  account: CompiledAccount,
  reports: Reports,
): AsyncGenerator<AccountRecord> {
  const { holders, hidden } = await readMembers(system, account);
  hidden.report(reports.unseen);
  const joinTo = await readJoins(system, account.joins);
  const own = await ownAccount(system, account);
  const members = followMembers(holders.keys());
  let skipped = 0;
  const leaveOut = (item: unknown) => {
    skipped++;
    members.explain(idIn(account.record, joinTo(item)) ?? '', 'filter');
  };
  const records = recordsOf(system, account, reports, leaveOut, joinTo);
  const complete = ({ scope, fields }: Mapped) => {
    members.see(fields.id);
    return withHoldings(system, account, scope, marked(fields, own), holders.get(fields.id)).catch(
      (error: unknown) => {
        if (!(error instanceof MappingError)) throw error;
        reports.skip(fields.id, error.message);
        return undefined;
      },
    );
  };
  for await (const record of mapOrdered(records, system.concurrency, complete)) if (record) yield record;
  hidden.add({ slug: account.slug, rule: 'filter', count: skipped });
  for (const [id, rule] of members.unlisted())
    for (const [slug, refs] of holders.get(id) ?? [])
      for (const ref of distinct(refs)) hidden.add({ slug, id: ref.id, rule, count: 1 });
  hidden.report(reports.unseen);
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
    async function* read(beforeNext: () => void): AsyncGenerator<{ key: string; item: unknown }> {
      const what = `the key of ${join.name}`;
      for await (const { item } of itemsOf(system, join.list, {}, { beforeNext })) {
        const key = required(textOf(evaluate(join.key, { item, settings }, what), what), what);
        yield { key, item };
      }
    }
    for (const { key, item } of await settledItems(`the list ${join.name}`, read, (each) => each.key))
      if (!table.has(key)) table.set(key, item);
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

/** Yields the records of a list. Skips, with a report, those that cannot be mapped. */
async function* recordsOf(
  system: System,
  { list, record }: Pick<CompiledAccount, 'list' | 'record'>,
  { skip, mayShift }: Reports,
  leaveOut: (item: unknown) => void,
  scopeOf = (item: unknown): Scope => ({ item, settings: system.settings }),
): AsyncGenerator<Mapped> {
  for await (const { item, place } of itemsOf(system, list, {}, { beforeNext: mayShift, leaveOut })) {
    try {
      const scope = scopeOf(item);
      yield { scope, fields: fieldsOf(record, scope) };
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      skip(error.id ?? `number ${place}`, error.message);
    }
  }
}
