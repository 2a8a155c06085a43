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
import { nameOf } from './dn.ts';
import { urlAttributes } from './group-classes.ts';
import { siblingSid } from './identifiers.ts';
import type { Directory } from './kinds.ts';
import { attributeFor, membersOf, membersRequested, naming, selvesOf } from './members.ts';
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
export function primaryGroupSid(account: Entry): Buffer | undefined {
  const [sid, relativeId] = [bytes(account.objectSid), Number(first(account.primaryGroupID))];
  return sid && relativeId > 0 ? siblingSid(sid, relativeId) : undefined;
}

/** The filter setting selects the groups to list. A chain may contain other groups. */
export const anyGroup = ({ kind, groupFilter }: Directory) =>
  groupFilter === kind.groups ? groupFilter : `(|${kind.groups}${groupFilter})`;

/** Returns the names of the groups that the filter setting selects, or undefined if it is not used. */
export async function selectedGroups(directory: Directory, base: string): Promise<Set<string> | undefined> {
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
    // A filter does not find members with a number (RFC 4517), and those that the server computes.
    const unfound = ['uniqueMember', ...urlAttributes].map((attribute) => new PresenceFilter({ attribute }));
    const groups = await search(among, new OrFilter({ filters: unfound }));
    const withMembers = await Promise.all(
      groups.map(async (group) => ({ group, members: new Set(await membersOf(directory, group)) })),
    );
    const found = new Map<string, Entry>();
    const queue = [account];
    for (let entry = queue.shift(); entry !== undefined; entry = nested ? queue.shift() : undefined) {
      const selves = selvesOf(directory, entry);
      const named = withMembers
        .filter(({ members }) => selves.some((self) => members.has(self)))
        .map(({ group }) => group);
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
