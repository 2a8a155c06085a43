import type { Ref } from '@gatehouse/connector';
import type { Entry } from 'ldapts';
import { isBelow, nameOf } from './dn.ts';
import { anyGroup, groupAttributes, primaryGroupSid, refOf, selectedGroups } from './groups.ts';
import type { Directory } from './kinds.ts';
import {
  gidOf,
  type Member,
  type NamedMember,
  namedMembersOf,
  primaryGid,
  selvesOf,
  urlsOf,
} from './members.ts';
import { bytes } from './session.ts';

/** The groups of a directory with their members, as one listing reads them. */
export type Memberships = {
  /** Returns the listed groups of an account. Each account of the listing must be asked for. */
  of(account: Entry): Ref[];
  /** Returns the members that are none of the accounts asked for, each with the listed groups that it is in. */
  unlisted(): { member: NamedMember; groups: Ref[] }[];
  /** The listed groups that show no members, and those with LDAP URLs: further members may be hidden or computed. */
  doubtful: Entry[];
  /** The number of groups below the base DN that the filter leaves out. */
  leftOut: number;
};

const none: Memberships = { of: () => [], unlisted: () => [], doubtful: [], leftOut: 0 };

type Group = { name: string; ref: Ref; listed: boolean };

/**
 * Reads every group and its members, because not every server maintains `memberOf`. Finds the groups of an account below `base`, with
 * nested groups if `nested` is set. A chain of groups may leave `base`, so Active Directory is read from its root.
 */
export async function readMemberships(
  directory: Directory,
  base: string | undefined,
  nested: boolean,
): Promise<Memberships> {
  if (!base) return none;
  const byMember = new Map<Member, Group[]>();
  const named = new Map<Member, NamedMember>();
  const byGid = new Map<string, Group[]>();
  const bySid = new Map<string, Group>();
  const followed = new Set<Member>();
  const asked = new Set<Member>();
  const doubtful: Entry[] = [];
  let leftOut = 0;
  const selected = await selectedGroups(directory, base);
  const root = nested ? (directory.root ?? base) : base;
  const attributes = [...groupAttributes(directory), 'objectSid'];
  for await (const entry of directory.session.entries(root, anyGroup(directory), attributes)) {
    const name = nameOf(entry.dn);
    const isInside = isBelow(entry.dn, base);
    const listed = isInside && (selected?.has(name) ?? true);
    if (isInside && !listed) leftOut++;
    const group = { name, ref: refOf(directory, entry), listed };
    const members = await namedMembersOf(directory, entry);
    for (const [member, itsName] of members) {
      file(byMember, member, group);
      named.set(member, itsName);
    }
    if (listed && (members.length === 0 || urlsOf(entry).length > 0)) doubtful.push(entry);
    if (nested) followed.add(name);
    file(byGid, gidOf(entry), group);
    const sid = bytes(entry.objectSid);
    if (sid) bySid.set(sid.toString('hex'), group);
  }
  const refsOf = (groups: Iterable<Group>) => refsWithParents(groups, nested ? byMember : new Map());
  return {
    of(account) {
      const selves = selvesOf(directory, account);
      for (const self of selves) if (byMember.has(self)) asked.add(self);
      const primary = bySid.get(primaryGroupSid(account)?.toString('hex') ?? '');
      return refsOf([
        ...selves.flatMap((self) => byMember.get(self) ?? []),
        ...(byGid.get(primaryGid(directory, account) ?? '') ?? []),
        ...(primary ? [primary] : []),
      ]);
    },
    unlisted: () =>
      [...named]
        .filter(([member]) => !asked.has(member) && !followed.has(member))
        .map(([name, member]) => ({ member, groups: refsOf(byMember.get(name) ?? []) })),
    doubtful,
    leftOut,
  };
}

function file(groups: Map<string, Group[]>, key: string | undefined, group: Group): void {
  if (key === undefined) return;
  const filed = groups.get(key);
  if (filed) filed.push(group);
  else groups.set(key, [group]);
}

/** Returns references to the listed ones of groups and of those that contain them. */
function refsWithParents(groups: Iterable<Group>, byMember: Map<Member, Group[]>): Ref[] {
  const found = new Set(groups);
  // A Set also yields what is added while it is read, once each: cycles end.
  for (const group of found) for (const parent of byMember.get(group.name) ?? []) found.add(parent);
  return [...found].filter(({ listed }) => listed).map(({ ref }) => ref);
}
