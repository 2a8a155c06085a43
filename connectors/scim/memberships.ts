import {
  type DirectMembers,
  giverBelow,
  type ListContext,
  membersWithin,
  type Ref,
} from '@gatehouse/connector';
import { type Resource, read, type Scim, text } from './client.ts';
import { everyGroup } from './groups.ts';
import { openHidden } from './hidden.ts';
import { type Members, membersOf, valuesOf } from './members.ts';

/** The groups of each user, and what the groups leave out. */
export type Memberships = {
  of(user: Resource): Ref[];
  /** Reports members that no list of users has. Call it after `of` was called for all users. */
  report(unseen: ListContext['unseen']): void;
};

/**
 * Reads who is in which group. Groups are asked first, because `groups` of a user is optional. If no group has `members`, the users have
 * to say it. If only some have none, servers that leave out empty lists and servers that do not say it look the same. Then the users
 * decide, and anything else ends the listing.
 */
export async function readMemberships(scim: Scim): Promise<Memberships> {
  const members = new Map<string, Members>();
  const silent = new Map<string, Ref>();
  const groups = new Map<string, Ref>();
  for await (const listed of everyGroup(scim)) {
    const ref: Ref = { id: listed.id, name: text(listed.displayName) };
    groups.set(ref.id, ref);
    const found = membersOf(listed);
    if (found === undefined) silent.set(ref.id, ref);
    else members.set(ref.id, found);
  }
  const isSilent = silent.size > 0 && silent.size === groups.size;
  if (!isSilent) await askAgain(scim, silent, members);
  const held = holdersOf(groups, members);
  const [group] = silent.values();
  const of = (user: Resource): Ref[] => {
    if (group === undefined) return held.get(user.id) ?? [];
    const named = groupsNamedBy(user);
    if (named === undefined)
      throw new Error(
        `the SCIM server lists the group ${nameOf(group)} without members and the user ${nameOfUser(user)} without groups, so memberships are unknown`,
      );
    if (isSilent) return [...new Set(named)].map((id) => groups.get(id) ?? { id });
    const doubtful = named.find((id) => silent.has(id));
    if (doubtful !== undefined)
      throw new Error(
        `the SCIM server lists the group ${nameOf(silent.get(doubtful) ?? group)} without members, although the user ${nameOfUser(user)} is in it, so memberships are unknown`,
      );
    return held.get(user.id) ?? [];
  };
  const hidden = openHidden({ groups, members, held });
  return {
    of(user) {
      hidden.see(user.id);
      return of(user);
    },
    report: hidden.report,
  };
}

/** By user: the groups that a task removes and that the user named before. A group that a user never named is unknown. */
const namedBefore = new WeakMap<Scim, Map<string, ReadonlySet<string>>>();

/** Remembers which of these groups a user names, before a task removes them. */
export function rememberNamed(scim: Scim, user: Resource, groups: readonly Ref[]): void {
  const named = new Set(groupsNamedBy(user));
  const known = namedBefore.get(scim) ?? new Map<string, ReadonlySet<string>>();
  namedBefore.set(scim, known);
  known.set(user.id, new Set(groups.map(({ id }) => id).filter((id) => named.has(id))));
}

/**
 * Returns how a user says to hold a group: not, if a task removed it and the user no longer names it. Undefined: only the group says it,
 * also if it has to name the group that gives it.
 */
function saidBy(scim: Scim, user: Resource, id: string): Ref | 'no' | undefined {
  const named = valuesOf(user, 'groups');
  const found = named?.filter(({ value }) => value === id) ?? [];
  const isRemoved = namedBefore.get(scim)?.get(user.id)?.has(id) === true;
  if (isRemoved) return named !== undefined && found.length === 0 ? 'no' : undefined;
  const direct = found.find(({ type }) => type?.toLowerCase() !== 'indirect');
  return direct && { id, name: text(direct.display) };
}

/** Returns which of the groups a user is in, or undefined if the server does not say it. Reads the groups that the user does not name. */
export async function membershipsIn(
  scim: Scim,
  user: Resource,
  groups: readonly string[],
): Promise<Ref[] | undefined> {
  const held: Ref[] = [];
  for (const id of groups) {
    const ref = saidBy(scim, user, id) ?? (await readHolding(scim, user, id));
    if (ref === undefined) return undefined;
    if (ref !== 'no') held.push(ref);
  }
  return held;
}

/** Reads a group, and returns how a user holds it. Undefined: neither of them says it. */
async function readHolding(scim: Scim, user: Resource, id: string): Promise<Ref | 'no' | undefined> {
  const group = await read(scim, 'Groups', id);
  // The server may hide the group from this token.
  if (group === null) return undefined;
  const ref = { id, name: text(group.displayName) };
  const members = membersOf(group);
  if (members === undefined) {
    const named = groupsNamedBy(user);
    return named && (named.includes(id) ? ref : 'no');
  }
  if (members.accounts.includes(user.id)) return ref;
  if (members.nameless > 0) return undefined;
  if (members.groups.length === 0) return 'no';
  const giver = await giverBelow(id, user.id, (each) => readDirect(scim, each));
  return giver === undefined ? 'no' : { ...ref, via: { slug: 'group', id: giver } };
}

/** Reads the direct members of a group; none if the server does not say them. */
export async function readDirect(scim: Scim, id: string): Promise<DirectMembers> {
  const found = await read(scim, 'Groups', id);
  return (found && membersOf(found)) ?? { accounts: [], groups: [] };
}

/** Some servers leave `members` out of lists only. */
async function askAgain(scim: Scim, silent: Map<string, Ref>, members: Map<string, Members>): Promise<void> {
  for (const id of [...silent.keys()]) {
    const group = await read(scim, 'Groups', id);
    const found = group ? membersOf(group) : undefined;
    if (found === undefined) continue;
    silent.delete(id);
    members.set(id, found);
  }
}

/** Returns the groups of each user. Those that a user is in through another group have `via`, unless the user is in them directly, too. */
function holdersOf(groups: Map<string, Ref>, members: Map<string, DirectMembers>): Map<string, Ref[]> {
  const held = new Map<string, Map<string, Ref>>();
  for (const ref of groups.values()) {
    for (const [user, through] of membersWithin(ref.id, members)) {
      const refs = held.get(user) ?? new Map<string, Ref>();
      held.set(user, refs);
      if (through === undefined) refs.set(ref.id, ref);
      else if (!refs.has(ref.id)) refs.set(ref.id, { ...ref, via: { slug: 'group', id: through } });
    }
  }
  return new Map([...held].map(([user, refs]) => [user, [...refs.values()]]));
}

/** Returns the ids of the groups that a user names, also of those that a user is in through another group ("indirect"). */
export function groupsNamedBy(user: Resource): string[] | undefined {
  return valuesOf(user, 'groups')?.flatMap(({ value }) => (value ? [value] : []));
}

const nameOf = ({ id, name }: Ref) => `"${name ?? id}"`;
const nameOfUser = ({ id, userName }: Resource) => `"${text(userName) ?? id}"`;
