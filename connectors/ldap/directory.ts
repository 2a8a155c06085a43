import type { AccountRecord, GroupRecord, LicenseRecord, Ref, TaskAccount } from '@gatehouse/connector';
import { type Entry, EqualityFilter } from 'ldapts';
import {
  and,
  groupAttributes,
  groupsOf,
  memberAttribute,
  membersOf,
  readMemberships,
  refOf,
} from './groups.ts';
import { type Directory, lastUseOf } from './kinds.ts';
import { ownersIn } from './owners.ts';
import { first } from './session.ts';

export type Account = AccountRecord<'group', 'license'>;

const accountAttributes = ({ kind }: Directory): string[] => [
  kind.id,
  kind.username,
  ...kind.state,
  ...kind.used,
  kind.owner,
  ...['mail', 'givenName', 'sn', 'displayName', 'cn'],
  ...(kind.name === 'ad' ? ['objectSid', 'primaryGroupID', 'isDeleted'] : []),
];

export async function* listGroups(directory: Directory): AsyncGenerator<GroupRecord> {
  const { session, groups, groupFilter, kind } = directory;
  const ownerOf = ownersIn(directory);
  for await (const entry of session.entries(groups, groupFilter, [
    ...groupAttributes(directory),
    kind.owner,
  ])) {
    yield {
      id: kind.idOf(entry),
      name: first(entry.cn) ?? entry.dn,
      description: first(entry.description),
      owner: await ownerOf(entry),
    };
  }
}

export async function* listLicenses(directory: Directory): AsyncGenerator<LicenseRecord> {
  const { session, licenses, groupFilter, kind } = directory;
  if (!licenses) return;
  const attributes = [...groupAttributes(directory), memberAttribute(directory)];
  for await (const entry of session.entries(licenses, groupFilter, attributes)) {
    yield {
      id: kind.idOf(entry),
      name: first(entry.cn) ?? entry.dn,
      max_count: seatsOf(directory, entry),
      used_count: (await membersOf(directory, entry)).length,
    };
  }
}

/** A license goes to the direct members of its group, so only groups are nested. */
export async function* listAccounts(directory: Directory): AsyncGenerator<Account> {
  const { session, users, userFilter, groups, licenses, nestedGroups } = directory;
  const memberships = await readMemberships(directory, groups, nestedGroups);
  const assignments = await readMemberships(directory, licenses, false);
  const ownerOf = ownersIn(directory);
  for await (const entry of session.entries(users, userFilter, accountAttributes(directory))) {
    const account = accountOf(directory, entry, memberships(entry), assignments(entry));
    yield { ...account, owner: await ownerOf(entry) };
  }
}

export async function readAccount(directory: Directory, id: string): Promise<Account | null> {
  const entry = await findById(directory, id);
  if (!entry) return null;
  const [groups, licenses] = [
    await groupsOf(directory, directory.groups, entry, directory.nestedGroups),
    await groupsOf(directory, directory.licenses, entry, false),
  ];
  const refs = (found: Entry[]) => found.map((group) => refOf(directory, group));
  const account = accountOf(directory, entry, refs(groups), refs(licenses));
  return { ...account, owner: await ownersIn(directory)(entry) };
}

export async function findAccount(directory: Directory, account: TaskAccount): Promise<string | null> {
  const { kind, session, users } = directory;
  const { username } = kind.draft(account, '');
  const filter = new EqualityFilter({ attribute: kind.username, value: username });
  const entry = await session.find(users, filter, [kind.id]);
  return entry ? kind.idOf(entry) : null;
}

/** Finds a person by id. An id of a computer or of a group is unknown. */
export async function findById(directory: Directory, id: string): Promise<Entry | undefined> {
  const { session, users, userFilter, kind } = directory;
  const filter = kind.byId(id);
  return filter && session.find(users, and(userFilter, filter), accountAttributes(directory));
}

/** Returns 0, which means unlimited, if the entry holds no number. */
export function seatsOf({ kind }: Directory, license: Entry): number {
  const seats = Number(first(license[kind.seats]));
  return Number.isInteger(seats) && seats > 0 ? seats : 0;
}

function accountOf({ kind }: Directory, entry: Entry, groups: Ref[], licenses: Ref[]): Account {
  return {
    id: kind.idOf(entry),
    username: first(entry[kind.username]),
    email: first(entry.mail),
    first_name: first(entry.givenName),
    last_name: first(entry.sn),
    display_name: first(entry.displayName) ?? first(entry.cn),
    status: kind.status(entry),
    last_sign_in_at: lastUseOf(kind, entry),
    memberships: { group: groups },
    assignments: { license: licenses },
  };
}
