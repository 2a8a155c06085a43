import { Failure, TaskError } from '@gatehouse/connector';
import { AndFilter, Attribute, Change, type Entry, EqualityFilter, type Filter, OrFilter } from 'ldapts';
import { comparable, nameOf, parseDn } from './dn.ts';
import {
  attributeOfClass,
  computedClass,
  groupClasses,
  type MemberAttribute,
  memberAttributes,
  urlAttributes,
} from './group-classes.ts';
import type { Directory } from './kinds.ts';
import { all, first, rangeOf, sorted, storedOnly } from './session.ts';

/** A filter for the groups of each attribute. */
export const groupFilters = memberAttributes.map((attribute): [MemberAttribute, Filter] => {
  const classes = groupClasses.filter((name) => attributeOfClass[name] === attribute);
  const filters = classes.map((value) => new EqualityFilter({ attribute: 'objectClass', value }));
  return [attribute, new OrFilter({ filters })];
});
const known = new Map(
  Object.entries(attributeOfClass).map(([name, attribute]) => [name.toLowerCase(), attribute]),
);

/** The attributes to request for the members of groups. Active Directory returns large groups in ranges, and knows only one class. */
export const membersRequested = ({ kind }: Directory): string[] =>
  kind.name === 'ad'
    ? ['objectClass', rangeOf('member')]
    : ['objectClass', 'gidNumber', ...memberAttributes, ...urlAttributes];

/** Returns the attribute for new members. A group without a known class would seem empty, so it ends the list. */
export function attributeFor(group: Entry): MemberAttribute {
  const classes = all(group.objectClass);
  if (classes.length === 0)
    throw new Failure(`${group.dn} shows no objectClass: allow the bind DN to read it`);
  const found = new Set(classes.map((name) => known.get(name.toLowerCase())));
  const attribute = memberAttributes.find((name) => found.has(name));
  if (attribute) return attribute;
  throw new Failure(
    `${group.dn} has none of the object classes ${groupClasses.join(', ')}, so its members are unknown: exclude it with groupFilter`,
  );
}

/** A member as it is compared: the name of its DN, or its user name. */
export type Member = string;
const byDn = (dn: string): Member => nameOf(dn);
/** Spaces do not occur in names of DNs. */
const byUid = (uid: string): Member => `uid ${uid}`;

/** A uniqueMember may end with a number that tells apart people to whom a DN was given one after the other (RFC 4517). */
const withoutNumber = (value: string) => value.replace(/#'[01]*'B$/i, '');

const memberOf = (attribute: MemberAttribute, value: string): Member =>
  attribute === 'memberUid' ? byUid(value) : byDn(attribute === 'member' ? value : withoutNumber(value));

/** Returns the values of each attribute, of groups with a known class. Some classes require a member, so that an empty group has the empty DN. */
async function valuesOf({ session }: Directory, group: Entry): Promise<[MemberAttribute, string[]][]> {
  attributeFor(group);
  const found: [MemberAttribute, string[]][] = [];
  for (const name of memberAttributes)
    found.push([name, (await session.values(group, name)).filter((value) => value !== '')]);
  return found;
}

/** Returns the members of a group, with the DN or the user name by which the directory has them. */
export async function namedMembersOf(directory: Directory, group: Entry): Promise<[Member, NamedMember][]> {
  const values = await valuesOf(directory, group);
  return values.flatMap(([attribute, found]) =>
    found.map((value): [Member, NamedMember] => [
      memberOf(attribute, value),
      attribute === 'memberUid' ? { uid: value } : { dn: withoutNumber(value) },
    ]),
  );
}
export type NamedMember = { dn: string } | { uid: string };

export const membersOf = async (directory: Directory, group: Entry): Promise<Member[]> =>
  (await namedMembersOf(directory, group)).map(([member]) => member);

/** The LDAP URLs (RFC 4516) from which members of a group are computed, by the server or by applications. */
export const urlsOf = (group: Entry): string[] =>
  urlAttributes.flatMap((name) => all(group[name])).filter((value) => /^ldaps?:/i.test(value));

/** Returns a group with the members that the directory stores. Others are computed and cannot be removed. */
export async function storedOf(directory: Directory, group: Entry): Promise<Entry> {
  if (urlsOf(group).length === 0) return group;
  return (await directory.session.read(group.dn, membersRequested(directory), [storedOnly])) ?? group;
}

/** The number of people in a group. A group with members by DN and by name has the same people in both. */
export async function countMembers(directory: Directory, group: Entry): Promise<number> {
  const values = await valuesOf(directory, group);
  const counts = values.map(([name, found]) => new Set(found.map((value) => memberOf(name, value))).size);
  return Math.max(...counts);
}

const uidsOf = ({ kind }: Directory, account: Entry): string[] =>
  kind.name === 'ad' ? [] : sorted(account[kind.username]);

/** The members that are this account. */
export const selvesOf = (directory: Directory, account: Entry): Member[] => [
  byDn(account.dn),
  ...uidsOf(directory, account).map(byUid),
];

/** A group of which the account is a member without being named in it: the primary group of POSIX (RFC 2307). */
export const primaryGid = ({ kind }: Directory, account: Entry): string | undefined =>
  kind.name === 'ad' ? undefined : first(account.gidNumber);
export const gidOf = (group: Entry): string | undefined =>
  all(group.objectClass).some((name) => name.toLowerCase() === 'posixgroup')
    ? first(group.gidNumber)
    : undefined;

/** Returns a filter for the groups that name a person or a group in another attribute. */
export function naming(directory: Directory, entry: Entry): Filter {
  const equal = (attribute: string, value: string) => new EqualityFilter({ attribute, value });
  const gid = primaryGid(directory, entry);
  const primary = [equal('objectClass', 'posixGroup'), equal('gidNumber', gid ?? '')];
  return new OrFilter({
    filters: [
      equal('member', entry.dn),
      ...uidsOf(directory, entry).map((uid) => equal('memberUid', uid)),
      ...(gid === undefined ? [] : [new AndFilter({ filters: primary })]),
    ],
  });
}

/** Returns the attribute and the value that add an account to a group. Systems take the user name in the DN for the login. */
export function additionOf(directory: Directory, group: Entry, account: Entry): [MemberAttribute, string] {
  const name = attributeFor(group);
  requireStorable(group);
  if (name !== 'memberUid') return [name, account.dn];
  const uids = uidsOf(directory, account);
  const naming = parseDn(account.dn)?.[0]?.map(({ value }) => value);
  const value = uids.find((uid) => naming?.includes(comparable(uid))) ?? uids[0];
  if (value === undefined)
    throw new TaskError('INTERNAL_ERROR', `${account.dn} has no ${directory.kind.username}`);
  return [name, value];
}

/** Throws if the group has no members of its own. */
function requireStorable(group: Entry): void {
  const found = all(group.objectClass).filter((name) => known.has(name.toLowerCase()));
  if (found.every((name) => name.toLowerCase() === computedClass.toLowerCase()))
    throw new TaskError(
      'INTERNAL_ERROR',
      `the members of ${group.dn} are computed from its ${urlAttributes[0]}, so nobody can be added: change the account so that the URL selects it`,
    );
}

/** Returns the changes that remove an account from a group, and those for a group that must keep a member: the empty DN. */
export async function removalOf(directory: Directory, group: Entry, account: Entry) {
  const selves = new Set(selvesOf(directory, account));
  const removals: Change[] = [];
  const placeholders: Change[] = [];
  for (const [type, values] of await valuesOf(directory, await storedOf(directory, group))) {
    const own = values.filter((value) => selves.has(memberOf(type, value)));
    if (own.length === 0) continue;
    const change = (operation: 'add' | 'delete', changed: string[]) =>
      new Change({ operation, modification: new Attribute({ type, values: changed }) });
    removals.push(change('delete', own));
    if (type !== 'memberUid' && own.length === values.length) placeholders.push(change('add', ['']));
  }
  return { removals, placeholders };
}
