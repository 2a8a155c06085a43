import type { AccountRecord, GroupRecord, LicenseRecord, Ref, TaskAccount } from '@gatehouse/connector';
import { type Client, type Entry, EqualityFilter } from 'ldapts';

/** The base DNs of a directory, and a client for it. */
export type Directory = {
  client: Client;
  users: string;
  groups: string;
  /** Groups below this DN are licenses. Their `businessCategory` holds the number of seats. */
  licenses: string | undefined;
  deliverTo: string | undefined;
};
export type Account = AccountRecord<'group', 'license'>;

/** The value of `pwdAccountLockedTime` that locks an account permanently (draft-behera-ldap-password-policy). */
export const lockedForGood = '000001010000Z';

const userAttributes = [
  'entryUUID',
  'uid',
  'mail',
  'givenName',
  'sn',
  'displayName',
  'cn',
  'pwdAccountLockedTime',
];
const groupAttributes = ['entryUUID', 'cn', 'description', 'businessCategory', 'member'];
const isUser = '(objectClass=inetOrgPerson)';
const isGroup = '(objectClass=groupOfNames)';

export const first = (value: Entry[string] | undefined): string | undefined => {
  const one = Array.isArray(value) ? value[0] : value;
  return one === undefined || one.length === 0 ? undefined : String(one);
};
const all = (value: Entry[string] | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : [String(value ?? '')];
/** A groupOfNames requires a member, so an empty group has the empty DN as its member. */
const members = (group: Entry): string[] => all(group.member).filter((member) => member !== '');
const sameName = (dn: string) => dn.toLowerCase().replace(/\s*([,=+])\s*/g, '$1');

/** Yields the entries of a subtree with paged results. A plain search may be truncated silently. */
async function* entries(
  { client }: Directory,
  base: string,
  filter: string,
  attributes: string[],
): AsyncGenerator<Entry> {
  for await (const page of client.searchPaginated(base, {
    filter,
    scope: 'sub',
    attributes,
    paged: { pageSize: 500 },
  })) {
    yield* page.searchEntries;
  }
}

export async function* listGroups(directory: Directory): AsyncGenerator<GroupRecord> {
  for await (const entry of entries(directory, directory.groups, isGroup, groupAttributes)) {
    yield {
      id: String(first(entry.entryUUID)),
      name: first(entry.cn) ?? entry.dn,
      description: first(entry.description),
    };
  }
}

export async function* listLicenses(directory: Directory): AsyncGenerator<LicenseRecord> {
  if (!directory.licenses) return;
  for await (const entry of entries(directory, directory.licenses, isGroup, groupAttributes)) {
    const used_count = members(entry).length;
    yield {
      id: String(first(entry.entryUUID)),
      name: first(entry.cn) ?? entry.dn,
      max_count: seatsOf(entry),
      used_count,
    };
  }
}

/** Reads memberships from the groups, because not every server maintains `memberOf`. */
export async function* listAccounts(directory: Directory): AsyncGenerator<Account> {
  const memberships = await refsByMember(directory, directory.groups);
  const assignments = await refsByMember(directory, directory.licenses);
  for await (const entry of entries(directory, directory.users, isUser, userAttributes)) {
    const name = sameName(entry.dn);
    yield accountOf(entry, memberships.get(name), assignments.get(name));
  }
}

async function refsByMember(directory: Directory, base: string | undefined): Promise<Map<string, Ref[]>> {
  const refs = new Map<string, Ref[]>();
  if (!base) return refs;
  for await (const group of entries(directory, base, isGroup, groupAttributes)) {
    const ref = { id: String(first(group.entryUUID)), name: first(group.cn) };
    for (const member of members(group)) {
      const known = refs.get(sameName(member));
      if (known) known.push(ref);
      else refs.set(sameName(member), [ref]);
    }
  }
  return refs;
}

export async function readAccount(directory: Directory, id: string): Promise<Account | null> {
  const entry = await findEntry(directory, directory.users, 'entryUUID', id, userAttributes);
  if (!entry) return null;
  const [groups, licenses] = await Promise.all([
    groupsOf(directory, directory.groups, entry.dn),
    directory.licenses ? groupsOf(directory, directory.licenses, entry.dn) : [],
  ]);
  const refs = (found: Entry[]) =>
    found.map((group) => ({ id: String(first(group.entryUUID)), name: first(group.cn) }));
  return accountOf(entry, refs(groups), refs(licenses));
}

export async function findAccount(
  directory: Directory,
  { username, email }: TaskAccount,
): Promise<string | null> {
  const entry = await findEntry(directory, directory.users, 'uid', username || email || '', ['entryUUID']);
  return entry ? String(first(entry.entryUUID)) : null;
}

export async function findEntry(
  { client }: Directory,
  base: string,
  attribute: string,
  value: string,
  attributes: string[],
): Promise<Entry | undefined> {
  const { searchEntries } = await client.search(base, {
    scope: 'sub',
    filter: new EqualityFilter({ attribute, value }),
    attributes,
  });
  return searchEntries[0];
}

export async function groupsOf({ client }: Directory, base: string, dn: string): Promise<Entry[]> {
  const filter = new EqualityFilter({ attribute: 'member', value: dn });
  return (await client.search(base, { scope: 'sub', filter, attributes: groupAttributes })).searchEntries;
}

/** Returns 0, which means unlimited, if the entry holds no number. */
export function seatsOf(license: Entry): number {
  const seats = Number(first(license.businessCategory));
  return Number.isInteger(seats) && seats > 0 ? seats : 0;
}

export const seatsTaken = (license: Entry): number => members(license).length;

function accountOf(entry: Entry, groups: Ref[] = [], licenses: Ref[] = []): Account {
  return {
    id: String(first(entry.entryUUID)),
    username: first(entry.uid),
    email: first(entry.mail),
    first_name: first(entry.givenName),
    last_name: first(entry.sn),
    display_name: first(entry.displayName) ?? first(entry.cn),
    status: first(entry.pwdAccountLockedTime) ? 'suspended' : 'active',
    memberships: { group: groups },
    assignments: { license: licenses },
  };
}
