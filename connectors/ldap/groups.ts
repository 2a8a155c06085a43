import type { Ref } from '@gatehouse/connector';
import {
  AndFilter,
  type Entry,
  EqualityFilter,
  ExtensibleFilter,
  type Filter,
  FilterParser,
  OrFilter,
  PresenceFilter,
} from 'ldapts';
import { isBelow, nameOf } from './dn.ts';
import { siblingSid } from './identifiers.ts';
import type { Directory } from './kinds.ts';
import {
  attributeFor,
  gidOf,
  membersOf,
  membersRequested,
  naming,
  primaryGid,
  selvesOf,
  uniqueMembersOf,
} from './members.ts';
import { bytes, first, sorted } from './session.ts';

/** LDAP_MATCHING_RULE_IN_CHAIN: Active Directory follows nested groups itself. */
const inChain = '1.2.840.113556.1.4.1941';

export const and = (text: string, filter: Filter): Filter =>
  new AndFilter({ filters: [FilterParser.parseString(text), filter] });

export const groupAttributes = (directory: Directory): string[] => [
  directory.kind.id,
  ...['cn', 'description', directory.kind.seats],
  ...membersRequested(directory),
];
export const refOf = ({ kind }: Directory, group: Entry): Ref => ({
  id: kind.idOf(group),
  name: sorted(group.cn)[0] ?? group.dn,
});

/** Ends with a sentence if the filter selects groups whose members the connector cannot know. */
export async function requireKnownGroups({ session, kind, groupFilter }: Directory, base: string) {
  if (groupFilter === kind.groups) return;
  for await (const group of session.entries(base, groupFilter, ['objectClass'])) attributeFor(group);
}

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
  const byGid = new Map<string, Group[]>();
  const bySid = new Map<string, Group>();
  const file = (groups: Map<string, Group[]>, key: string, group: Group) => {
    const filed = groups.get(key);
    if (filed) filed.push(group);
    else groups.set(key, [group]);
  };
  const selected = await selectedGroups(directory, base);
  const root = nested ? (directory.root ?? base) : base;
  const attributes = [...groupAttributes(directory), 'objectSid'];
  for await (const entry of directory.session.entries(root, anyGroup(directory), attributes)) {
    const name = nameOf(entry.dn);
    const listed = isBelow(entry.dn, base) && (selected?.has(name) ?? true);
    const group = { name, ref: refOf(directory, entry), listed };
    for (const member of await membersOf(directory, entry)) file(byMember, member, group);
    const gid = gidOf(entry);
    if (gid !== undefined) file(byGid, gid, group);
    const sid = bytes(entry.objectSid);
    if (sid) bySid.set(sid.toString('hex'), group);
  }
  return (account) => {
    const found = new Set(selvesOf(directory, account).flatMap((self) => byMember.get(self) ?? []));
    for (const group of byGid.get(primaryGid(directory, account) ?? '') ?? []) found.add(group);
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
  for await (const { dn } of session.entries(base, groupFilter, [kind.id])) names.add(nameOf(dn));
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
  if (kind.name !== 'ad') {
    const among = anyGroup(directory);
    // A filter does not find members with a number (RFC 4517).
    const unique = await search(among, new PresenceFilter({ attribute: 'uniqueMember' }));
    const found = new Map<string, Entry>();
    const queue = [account];
    for (let entry = queue.shift(); entry !== undefined; entry = nested ? queue.shift() : undefined) {
      const selves = new Set(selvesOf(directory, entry));
      const named = unique.filter((group) => uniqueMembersOf(group).some((member) => selves.has(member)));
      for (const group of [...named, ...(await search(among, naming(directory, entry)))]) {
        if (found.has(group.dn)) continue;
        found.set(group.dn, group);
        queue.push({ dn: group.dn });
      }
    }
    const selected = await selectedGroups(directory, base);
    return [...found.values()].filter(({ dn }) => selected?.has(nameOf(dn)) ?? true);
  }
  const direct = (value: string) => new EqualityFilter({ attribute: 'member', value });
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
