import {
  type AccountRecord,
  type GroupRecord,
  type LicenseRecord,
  type ListContext,
  type Ref,
  type TaskAccount,
  TaskError,
  unreported,
} from '@gatehouse/connector';
import { type Entry, EqualityFilter } from 'ldapts';
import { nameOf } from './dn.ts';
import { and, groupAttributes, groupsOf, refOf } from './groups.ts';
import { type Directory, lastUseOf, type Status } from './kinds.ts';
import { statusIn } from './lockouts.ts';
import { attributeFor, countMembers } from './members.ts';
import { readMemberships } from './memberships.ts';
import { emailsOf, ownersIn } from './owners.ts';
import { requireReadable } from './readable.ts';
import { all, sorted } from './session.ts';
import { countReferrals, reportUnseen } from './unseen.ts';

export type Account = AccountRecord<'group', 'license'>;

const accountAttributes = ({ kind }: Directory): string[] => [
  kind.id,
  kind.username,
  ...kind.state,
  ...kind.used,
  kind.owner,
  ...['mail', 'givenName', 'sn', 'displayName', 'cn'],
  ...(kind.name === 'ad' ? ['userPrincipalName', 'objectSid', 'primaryGroupID', 'isDeleted'] : ['gidNumber']),
];

type Reports = Pick<ListContext, 'unseen'>;

export async function* listGroups(
  directory: Directory,
  { unseen }: Reports = unreported,
): AsyncGenerator<GroupRecord> {
  const { session, groups, groupFilter, kind } = directory;
  await requireReadable(directory);
  const ownerOf = ownersIn(directory);
  const attributes = [...groupAttributes(directory), kind.owner];
  const referrals = countReferrals('group', unseen);
  for await (const entry of session.entries(groups, groupFilter, attributes, referrals)) {
    attributeFor(entry);
    yield {
      id: kind.idOf(entry),
      owner: await ownerOf(entry),
      ...oneOfEach({ name: named(entry), description: sorted(entry.description) }),
    };
  }
}

export async function* listLicenses(directory: Directory): AsyncGenerator<LicenseRecord> {
  const { session, licenses, groupFilter, kind } = directory;
  if (!licenses) return;
  for await (const entry of session.entries(licenses, groupFilter, groupAttributes(directory))) {
    yield {
      id: kind.idOf(entry),
      max_count: seatsOf(directory, entry),
      used_count: await countMembers(directory, entry),
      ...oneOfEach({ name: named(entry) }),
    };
  }
}

const named = (group: Entry): string[] => {
  const names = sorted(group.cn);
  return names.length > 0 ? names : [group.dn];
};

/** Fills fields whose attributes can have several values. The runner keeps the one that it knows. */
const oneOfEach = <F extends string>(values: Record<F, string[]>) => ({
  ...(Object.fromEntries(
    Object.entries<string[]>(values).map(([field, [value]]) => [field, value]),
  ) as Record<F, string>),
  candidates: values,
});

/** A license goes to the direct members of its group, so only groups are nested. */
export async function* listAccounts(
  directory: Directory,
  { unseen }: Reports = unreported,
): AsyncGenerator<Account> {
  const { session, users, userFilter, groups, licenses, nestedGroups } = directory;
  await requireReadable(directory);
  const memberships = await readMemberships(directory, groups, nestedGroups);
  const assignments = await readMemberships(directory, licenses, false);
  const ownerOf = ownersIn(directory);
  const statusOf = await statusIn(directory);
  const referrals = countReferrals('person', unseen);
  for await (const entry of session.entries(users, userFilter, accountAttributes(directory), referrals)) {
    const status = await statusOf(entry);
    const account = accountOf(directory, entry, status, memberships.of(entry), assignments.of(entry));
    yield { ...account, owner: await ownerOf(entry) };
  }
  await reportUnseen(directory, 'group', memberships, unseen);
  await reportUnseen(directory, 'license', assignments, unseen);
}

export async function readAccount(directory: Directory, id: string): Promise<Account | null> {
  const entry = await findById(directory, id);
  if (!entry) return null;
  const [groups, licenses] = [
    await groupsOf(directory, directory.groups, entry, directory.nestedGroups),
    await groupsOf(directory, directory.licenses, entry, false),
  ];
  const refs = (found: Entry[]) => found.map((group) => refOf(directory, group));
  const status = await (await statusIn(directory))(entry);
  const account = accountOf(directory, entry, status, refs(groups), refs(licenses));
  return { ...account, owner: await ownersIn(directory)(entry) };
}

/** Finds a person by the name that a creation would use. Entries below several bases can have the same one. */
export async function findAccount(directory: Directory, account: TaskAccount): Promise<string | null> {
  const { kind, session, users } = directory;
  const { username } = kind.draft(account, '');
  const filter = new EqualityFilter({ attribute: kind.username, value: username });
  const found: string[] = [];
  for await (const entry of session.entries(users, filter, [kind.id])) found.push(kind.idOf(entry));
  if (found.length > 1)
    throw new TaskError(
      'INTERNAL_ERROR',
      `several entries have the ${kind.username} ${username}: ${found.join(', ')}`,
    );
  return found[0] ?? null;
}

/** Finds a person by id. An id of a computer or of a group is unknown. */
export async function findById(directory: Directory, id: string): Promise<Entry | undefined> {
  const { session, users, userFilter, kind } = directory;
  const filter = kind.byId(id);
  return filter && session.find(users, and(userFilter, filter), accountAttributes(directory));
}

/** Returns 0, which means unlimited, if the entry holds no number. */
export function seatsOf({ kind }: Directory, license: Entry): number {
  const seats = all(license[kind.seats]).map(Number);
  return seats.filter((each) => Number.isInteger(each) && each > 0).sort((a, b) => a - b)[0] ?? 0;
}

/** Active Directory also takes a user principal name or `DOMAIN\\user` to bind with. */
function isOwn({ session, kind }: Directory, entry: Entry): boolean {
  const { bindName, bindText } = session;
  if (nameOf(entry.dn) === bindName) return true;
  if (kind.name !== 'ad') return false;
  const bound = bindText.toLowerCase();
  const [account = ''] = all(entry.sAMAccountName);
  const principals = all(entry.userPrincipalName).map((name) => name.toLowerCase());
  return principals.includes(bound) || (account !== '' && bound.split('\\')[1] === account.toLowerCase());
}

function accountOf(
  directory: Directory,
  entry: Entry,
  status: Status,
  groups: Ref[],
  licenses: Ref[],
): Account {
  const { kind } = directory;
  const displayNames = sorted(entry.displayName);
  return {
    id: kind.idOf(entry),
    status,
    last_sign_in_at: lastUseOf(kind, entry),
    ...(isOwn(directory, entry) ? { is_own: true } : {}),
    memberships: { group: groups },
    assignments: { license: licenses },
    ...oneOfEach({
      username: sorted(entry[kind.username]),
      email: emailsOf(entry),
      first_name: sorted(entry.givenName),
      last_name: sorted(entry.sn),
      display_name: displayNames.length > 0 ? displayNames : sorted(entry.cn),
    }),
  };
}
