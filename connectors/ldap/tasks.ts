import {
  type Changes,
  type Grants,
  generatePassword,
  type Ref,
  type TaskAccount,
  TaskError,
} from '@gatehouse/connector';
import {
  AlreadyExistsError,
  Attribute,
  Change,
  type Entry,
  NoSuchObjectError,
  ObjectClassViolationError,
  TypeOrValueExistsError,
} from 'ldapts';
import { findAccount, findById, seatsOf } from './directory.ts';
import { dnBelow, parseDn } from './dn.ts';
import { and, groupsOf } from './groups.ts';
import { relativeIdOf } from './identifiers.ts';
import { attribute, type Directory, set } from './kinds.ts';
import { statusIn } from './lockouts.ts';
import {
  additionOf,
  countMembers,
  membersOf,
  membersRequested,
  removalOf,
  selvesOf,
  urlsOf,
} from './members.ts';
import { passwordModification, quoted } from './password.ts';
import { mayReadMembers } from './readable.ts';
import { all, bytes, first } from './session.ts';

type Slugs = 'group' | 'license';

const add = (type: string, value: string) =>
  new Change({ operation: 'add', modification: attribute(type, value) });

async function entryOf(directory: Directory, id: string): Promise<Entry> {
  const entry = await findById(directory, id);
  if (!entry) throw new TaskError('ACCOUNT_NOT_FOUND', `no entry has the ${directory.kind.id} ${id}`);
  return entry;
}

/** The relative ids of the accounts that each domain is made with: Administrator and krbtgt. */
const builtIn = new Set([500, 502]);

/** Returns an entry that may be suspended and deleted. Without its built-in accounts, a domain of Active Directory can be lost. */
async function ordinaryEntryOf(directory: Directory, id: string): Promise<Entry> {
  const entry = await entryOf(directory, id);
  const name = first(entry[directory.kind.username]) ?? entry.dn;
  if (directory.kind.name !== 'ad') return entry;
  if (!builtIn.has(relativeIdOf(bytes(entry.objectSid))) && !/^krbtgt(_|$)/i.test(name)) return entry;
  throw new TaskError(
    'PERMISSION_DENIED',
    `${name} is a built-in account of the domain, so no task suspends, deletes or resets it: change it in Active Directory`,
  );
}

/** Creates an entry with its groups and password, or nothing at all. */
export async function createEntry(directory: Directory, account: TaskAccount, memberships: Grants<Slugs>) {
  const { session, users, kind, deliverTo } = directory;
  const fullName = [account.first_name, account.last_name].filter(Boolean).join(' ');
  const { rdn, username, attributes } = kind.draft(account, fullName);
  const dn = dnBelow(users, rdn, username);
  const entry = { dn, [kind.username]: username };
  if (account.first_name) attributes.push(attribute('givenName', account.first_name));
  if (account.last_name && kind.name === 'ad') attributes.push(attribute('sn', account.last_name));
  if (account.email) attributes.push(attribute('mail', account.email));
  const initial = kind.name === 'ad' ? generatePassword() : undefined;
  if (initial !== undefined) {
    requireTls(directory);
    attributes.push(new Attribute({ type: 'unicodePwd', values: [quoted(initial)] }));
    attributes.push(attribute('userPrincipalName', `${username}@${domainOf(directory.root ?? users)}`));
  }
  await session.add(dn, attributes).catch((error: unknown) => {
    if (!(error instanceof NoSuchObjectError)) throw error;
    throw new TaskError('INTERNAL_ERROR', `the base DN ${users} does not exist`, { cause: error });
  });
  try {
    await grant(directory, entry, memberships);
    const password = deliverTo ? (initial ?? (await setPassword(directory, dn))) : undefined;
    return { id: String(await findAccount(directory, account)), ...(password ? { password } : {}) };
  } catch (error) {
    await leaveGroups(directory, entry);
    await session.del(dn);
    throw error;
  }
}

const domainOf = (dn: string): string =>
  (parseDn(dn) ?? [])
    .flat()
    .flatMap(({ type, value }) => (type === 'dc' ? value : []))
    .join('.');

export async function updateEntry(
  directory: Directory,
  account: TaskAccount,
  changes: Changes<Slugs>,
): Promise<void> {
  const entry = await entryOf(directory, account.id);
  const names = { givenName: account.first_name, sn: account.last_name, mail: account.email };
  // A value that the entry has already stays among its others.
  const attributes = Object.entries(names).flatMap(([type, value]) =>
    value && !all(entry[type]).includes(value) ? [set(type, [value])] : [],
  );
  if (attributes.length > 0) await directory.session.modify(entry.dn, attributes);
  for (const slug of ['group', 'license'] as const)
    for (const ref of changes[slug]?.removed ?? [])
      await leave(directory, await groupOf(directory, slug, ref), entry);
  await grant(directory, entry, { group: changes.group?.added ?? [], license: changes.license?.added ?? [] });
  await requireGone(directory, account.id, 'group', changes.group?.removed ?? []);
  await requireGone(directory, account.id, 'license', changes.license?.removed ?? []);
}

/** Rejects a removal that another group, the primary group, or members that the directory computes make ineffective. */
async function requireGone(directory: Directory, id: string, slug: Slugs, removed: Ref[]): Promise<void> {
  if (removed.length === 0) return;
  const ids = new Set(removed.map((ref) => ref.id));
  const entry = await entryOf(directory, id);
  const [base, nested] =
    slug === 'group' ? [directory.groups, directory.nestedGroups] : [directory.licenses, false];
  const left = await groupsOf(directory, base, entry, nested);
  const still = left.find((group) => ids.has(directory.kind.idOf(group)));
  if (!still) return;
  const name = first(still.cn) ?? still.dn;
  const selves = selvesOf(directory, entry);
  const isComputed =
    urlsOf(still).length > 0 && (await membersOf(directory, still)).some((each) => selves.includes(each));
  throw new TaskError(
    'INTERNAL_ERROR',
    isComputed
      ? `the account stays in ${name}, because the directory computes the members of this group (${urlsOf(still).join(', ')}): change the account or the URL so that it no longer selects it`
      : `the account stays in ${name} through another group or as its primary group: remove it there`,
  );
}

export async function deleteEntry(directory: Directory, id: string): Promise<void> {
  const entry = await ordinaryEntryOf(directory, id);
  await leaveGroups(directory, entry);
  await directory.session.del(entry.dn);
}

export async function setLocked(directory: Directory, id: string, locked: boolean): Promise<void> {
  const entry = await ordinaryEntryOf(directory, id);
  await directory.session.modify(entry.dn, directory.kind.lock(entry, locked));
  const status = await (await statusIn(directory))(await entryOf(directory, id));
  if (status === (locked ? 'suspended' : 'active')) return;
  throw new TaskError(
    'INTERNAL_ERROR',
    `the directory accepted the change, but the account is still ${status}: ${locked ? unlocked : stillLocked}`,
  );
}

const unlocked = 'its password policy may ignore locks (pwdLockout)';
const stillLocked = 'it has expired, or a role or policy of the directory locks it';

export async function resetPassword(directory: Directory, id: string): Promise<{ password: string }> {
  if (!directory.deliverTo)
    throw new TaskError('INTERNAL_ERROR', 'set deliverTo: no program is configured to receive new passwords');
  return { password: await setPassword(directory, (await ordinaryEntryOf(directory, id)).dn) };
}

function requireTls({ session }: Directory): void {
  if (!session.secure)
    throw new TaskError(
      'INTERNAL_ERROR',
      'Active Directory accepts passwords only over TLS: use an ldaps:// URL or turn on startTls',
    );
}

/**
 * Sets a generated password so that the server hashes it. OpenLDAP does so only in the password modify operation (RFC 3062).
 * 389 Directory Server refuses that operation without TLS, but hashes the attribute.
 */
async function setPassword(directory: Directory, dn: string): Promise<string> {
  const { session, kind } = directory;
  const password = generatePassword();
  if (kind.name === 'ad') {
    requireTls(directory);
    await session.modify(dn, [set('unicodePwd', [quoted(password)]), ...kind.unlock]);
  } else if (kind.name === '389ds') await session.modify(dn, set('userPassword', [password]));
  else {
    const { oid, value } = passwordModification(dn, password);
    await session.exop(oid, value);
  }
  return password;
}

async function grant(directory: Directory, account: Entry, grants: Grants<Slugs>): Promise<void> {
  for (const slug of ['group', 'license'] as const) {
    for (const ref of grants[slug] ?? [])
      await join(directory, await groupOf(directory, slug, ref), account, slug);
  }
}

async function groupOf(directory: Directory, slug: Slugs, { id }: Ref): Promise<Entry> {
  const { session, kind, groupFilter } = directory;
  const base = slug === 'group' ? directory.groups : directory.licenses;
  const filter = kind.byId(id);
  const attributes = ['cn', kind.seats, ...membersRequested(directory)];
  const group = base && filter ? await session.find(base, and(groupFilter, filter), attributes) : undefined;
  if (!group) throw new TaskError('INTERNAL_ERROR', `no ${slug} has the ${kind.id} ${id}`);
  return group;
}

async function join(directory: Directory, group: Entry, account: Entry, slug: Slugs): Promise<void> {
  const selves = new Set(selvesOf(directory, account));
  if ((await membersOf(directory, group)).some((member) => selves.has(member))) return;
  const seats = slug === 'license' ? seatsOf(directory, group) : 0;
  if (seats > 0 && (await countMembers(directory, group)) >= seats)
    throw new TaskError('LICENSE_EXHAUSTED', `all ${seats} seats of ${group.dn} are taken`);
  const [name, value] = additionOf(directory, group, account);
  await directory.session.modify(group.dn, add(name, value)).catch((error) => {
    // Somebody else has added the account, or, in Active Directory, this is its primary group.
    if (error instanceof TypeOrValueExistsError) return;
    if (!(directory.kind.name === 'ad' && error instanceof AlreadyExistsError)) throw error;
  });
}

/** Some classes of groups need a member, so the empty DN replaces the last one. */
async function leave(directory: Directory, group: Entry, account: Entry): Promise<void> {
  const { removals, placeholders } = await removalOf(directory, group, account);
  if (removals.length === 0) return requireShown(directory, group);
  await directory.session.modify(group.dn, removals).catch((error) => {
    if (!(error instanceof ObjectClassViolationError)) throw error;
    return directory.session.modify(group.dn, [...placeholders, ...removals]);
  });
}

/** Throws for a group that seems to be empty because the bind DN may not read its members: the account may be one of them. */
async function requireShown(directory: Directory, group: Entry): Promise<void> {
  if ((await membersOf(directory, group)).length > 0 || (await mayReadMembers(directory, group))) return;
  throw new TaskError(
    'PERMISSION_DENIED',
    `the bind DN may not read the members of ${group.dn}, so it is unknown whether the account is one of them: allow it to`,
  );
}

/** Active Directory removes a deleted account from its groups itself. */
async function leaveGroups(directory: Directory, account: Entry): Promise<void> {
  if (directory.kind.name === 'ad') return;
  for (const base of [directory.groups, directory.licenses]) {
    for (const group of await groupsOf(directory, base, account, false))
      await leave(directory, group, account);
  }
}
