import type { Ref } from '@gatehouse/connector';
import {
  AndFilter,
  type Entry,
  EqualityFilter,
  ExtensibleFilter,
  type Filter,
  FilterParser,
  OrFilter,
} from 'ldapts';
import { siblingSid } from './identifiers.ts';
import type { Directory } from './kinds.ts';
import { bytes, first, rangeOf } from './session.ts';

/** LDAP_MATCHING_RULE_IN_CHAIN: Active Directory follows nested groups itself. */
const inChain = '1.2.840.113556.1.4.1941';

export const and = (text: string, filter: Filter): Filter =>
  new AndFilter({ filters: [FilterParser.parseString(text), filter] });
export const sameName = (dn: string) => dn.toLowerCase().replace(/\s*([,=+])\s*/g, '$1');
const isBelow = (dn: string, base: string) => `,${sameName(dn)}`.endsWith(`,${sameName(base)}`);

export const groupAttributes = ({ kind }: Directory): string[] => [kind.id, 'cn', 'description', kind.seats];
export const refOf = ({ kind }: Directory, group: Entry): Ref => ({
  id: kind.idOf(group),
  name: first(group.cn) ?? group.dn,
});

export const memberAttribute = ({ kind }: Directory): string =>
  kind.name === 'ad' ? rangeOf('member') : 'member';
/** A groupOfNames requires a member, so an empty group has the empty DN as its member. */
export const membersOf = async ({ session }: Directory, group: Entry): Promise<string[]> =>
  (await session.values(group, 'member')).filter((member) => member !== '');

/** Returns the SID of an account's primary group, whose `member` does not name the account. */
function primaryGroupSid(account: Entry): Buffer | undefined {
  const [sid, relativeId] = [bytes(account.objectSid), Number(first(account.primaryGroupID))];
  return sid && relativeId > 0 ? siblingSid(sid, relativeId) : undefined;
}

/**
 * Reads every group and its members, because not every server maintains `memberOf`. Returns a function that finds the groups
 * of an account below `base`, with nested groups if `nested` is set. A chain of groups may leave `base`, so Active Directory
 * is read from its root.
 */
export async function readMemberships(
  directory: Directory,
  base: string | undefined,
  nested: boolean,
): Promise<(account: Entry) => Ref[]> {
  if (!base) return () => [];
  type Group = { name: string; ref: Ref; listed: boolean };
  const byMember = new Map<string, Group[]>();
  const bySid = new Map<string, Group>();
  const selected = await selectedGroups(directory, base);
  const root = nested ? (directory.root ?? base) : base;
  const attributes = [...groupAttributes(directory), 'objectSid', memberAttribute(directory)];
  for await (const entry of directory.session.entries(root, anyGroup(directory), attributes)) {
    const name = sameName(entry.dn);
    const listed = isBelow(entry.dn, base) && (selected?.has(name) ?? true);
    const group = { name, ref: refOf(directory, entry), listed };
    for (const member of await membersOf(directory, entry)) {
      const known = byMember.get(sameName(member));
      if (known) known.push(group);
      else byMember.set(sameName(member), [group]);
    }
    const sid = bytes(entry.objectSid);
    if (sid) bySid.set(sid.toString('hex'), group);
  }
  return (account) => {
    const found = new Set(byMember.get(sameName(account.dn)));
    const primary = bySid.get(primaryGroupSid(account)?.toString('hex') ?? '');
    if (primary) found.add(primary);
    // A Set also yields what is added while it is read, once each: cycles end.
    if (nested)
      for (const group of found) for (const parent of byMember.get(group.name) ?? []) found.add(parent);
    return [...found].filter(({ listed }) => listed).map(({ ref }) => ref);
  };
}

/** The filter setting selects the groups to list. A chain may contain other groups. */
const anyGroup = ({ kind, groupFilter }: Directory) =>
  groupFilter === kind.groups ? groupFilter : `(|${kind.groups}${groupFilter})`;

/** Returns the names of the groups that the filter setting selects, or undefined if it is not used. */
async function selectedGroups(directory: Directory, base: string): Promise<Set<string> | undefined> {
  const { session, kind, groupFilter } = directory;
  if (groupFilter === kind.groups) return undefined;
  const names = new Set<string>();
  for await (const { dn } of session.entries(base, groupFilter, [kind.id])) names.add(sameName(dn));
  return names;
}

/** Returns the groups of one account below `base`. Agrees with `readMemberships`. */
export async function groupsOf(
  directory: Directory,
  base: string | undefined,
  account: Entry,
  nested: boolean,
): Promise<Entry[]> {
  if (!base) return [];
  const { session, kind, groupFilter } = directory;
  const search = (among: string, filter: Filter) =>
    Array.fromAsync(session.entries(base, and(among, filter), groupAttributes(directory)));
  const direct = (value: string) => new EqualityFilter({ attribute: 'member', value });
  if (kind.name !== 'ad') {
    const found = new Map<string, Entry>();
    const queue = [account.dn];
    for (let dn = queue.shift(); dn !== undefined; dn = nested ? queue.shift() : undefined) {
      for (const group of await search(anyGroup(directory), direct(dn))) {
        if (found.has(group.dn)) continue;
        found.set(group.dn, group);
        queue.push(group.dn);
      }
    }
    const selected = await selectedGroups(directory, base);
    return [...found.values()].filter(({ dn }) => selected?.has(sameName(dn)) ?? true);
  }
  const containing = (value: string) =>
    nested ? new ExtensibleFilter({ matchType: 'member', rule: inChain, value }) : direct(value);
  const filters: Filter[] = [containing(account.dn)];
  const sid = primaryGroupSid(account);
  if (sid) {
    const primary = new EqualityFilter({ attribute: 'objectSid', value: sid });
    filters.push(primary);
    const group = nested ? await session.find(directory.root ?? base, primary, ['cn']) : undefined;
    if (group) filters.push(containing(group.dn));
  }
  return search(groupFilter, new OrFilter({ filters }));
}
