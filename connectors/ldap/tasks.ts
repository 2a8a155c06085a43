import {
  type Changes,
  type Grants,
  generatePassword,
  type Ref,
  type TaskAccount,
  TaskError,
} from '@gatehouse/connector';
import {
  Attribute,
  Change,
  DN,
  type Entry,
  NoSuchAttributeError,
  ObjectClassViolationError,
  TypeOrValueExistsError,
} from 'ldapts';
import {
  type Directory,
  findEntry,
  first,
  groupsOf,
  lockedForGood,
  seatsOf,
  seatsTaken,
} from './directory.ts';
import { passwordModification } from './password.ts';

type Slugs = 'group' | 'license';

const set = (type: string, values: string[]) =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values }) });
const add = (type: string, value: string) =>
  new Change({ operation: 'add', modification: new Attribute({ type, values: [value] }) });
const remove = (type: string, value: string) =>
  new Change({ operation: 'delete', modification: new Attribute({ type, values: [value] }) });

/** Finds an entry by entryUUID, which, unlike a name, never changes. */
async function dnOf(directory: Directory, id: string): Promise<string> {
  const entry = await findEntry(directory, directory.users, 'entryUUID', id, ['entryUUID']);
  if (!entry) throw new TaskError('ACCOUNT_NOT_FOUND', `no entry has the entryUUID ${id}`);
  return entry.dn;
}

/** Creates an entry with its groups and password, or nothing at all. */
export async function createEntry(directory: Directory, account: TaskAccount, memberships: Grants<Slugs>) {
  const { client, users, deliverTo } = directory;
  const uid = account.username || account.email;
  if (!uid)
    throw new TaskError('INTERNAL_ERROR', 'the task has neither username nor email to name the entry with');
  const dn = `${new DN().addPairRDN('uid', uid).toString()},${users}`;
  const fullName = [account.first_name, account.last_name].filter(Boolean).join(' ') || uid;
  await client.add(dn, {
    objectClass: 'inetOrgPerson',
    uid,
    cn: fullName,
    sn: account.last_name || uid,
    ...(account.first_name ? { givenName: account.first_name } : {}),
    ...(account.email ? { mail: account.email } : {}),
  });
  try {
    await grant(directory, dn, memberships);
    const password = deliverTo ? await setPassword(directory, dn) : undefined;
    const entry = await findEntry(directory, users, 'uid', uid, ['entryUUID']);
    return { id: String(first(entry?.entryUUID)), ...(password ? { password } : {}) };
  } catch (error) {
    await leaveGroups(directory, dn);
    await client.del(dn);
    throw error;
  }
}

export async function updateEntry(
  directory: Directory,
  account: TaskAccount,
  changes: Changes<Slugs>,
): Promise<void> {
  const dn = await dnOf(directory, account.id);
  const names = { givenName: account.first_name, sn: account.last_name, mail: account.email };
  const attributes = Object.entries(names).flatMap(([type, value]) => (value ? [set(type, [value])] : []));
  if (attributes.length > 0) await directory.client.modify(dn, attributes);
  for (const slug of ['group', 'license'] as const) {
    for (const ref of changes[slug]?.removed ?? [])
      await leave(directory, await groupOf(directory, slug, ref), dn);
  }
  await grant(directory, dn, { group: changes.group?.added ?? [], license: changes.license?.added ?? [] });
}

export async function deleteEntry(directory: Directory, id: string): Promise<void> {
  const dn = await dnOf(directory, id);
  await leaveGroups(directory, dn);
  await directory.client.del(dn);
}

export async function setLocked(directory: Directory, id: string, locked: boolean): Promise<void> {
  await directory.client.modify(
    await dnOf(directory, id),
    set('pwdAccountLockedTime', locked ? [lockedForGood] : []),
  );
}

export async function resetPassword(directory: Directory, id: string): Promise<{ password: string }> {
  if (!directory.deliverTo)
    throw new TaskError('INTERNAL_ERROR', 'set deliverTo: no program is configured to receive new passwords');
  return { password: await setPassword(directory, await dnOf(directory, id)) };
}

/** Uses the password modify operation (RFC 3062), so that the server hashes the password. A modified attribute stays plain text. */
async function setPassword({ client }: Directory, dn: string): Promise<string> {
  const password = generatePassword();
  const { oid, value } = passwordModification(dn, password);
  await client.exop(oid, value);
  return password;
}

async function grant(directory: Directory, dn: string, grants: Grants<Slugs>): Promise<void> {
  for (const slug of ['group', 'license'] as const) {
    for (const ref of grants[slug] ?? [])
      await join(directory, await groupOf(directory, slug, ref), dn, slug);
  }
}

async function groupOf(directory: Directory, slug: Slugs, { id }: Ref): Promise<Entry> {
  const base = slug === 'group' ? directory.groups : directory.licenses;
  const group = base
    ? await findEntry(directory, base, 'entryUUID', id, ['member', 'businessCategory'])
    : undefined;
  if (!group) throw new TaskError('INTERNAL_ERROR', `no ${slug} has the entryUUID ${id}`);
  return group;
}

async function join({ client }: Directory, group: Entry, dn: string, slug: Slugs): Promise<void> {
  const seats = slug === 'license' ? seatsOf(group) : 0;
  const already = [group.member ?? []]
    .flat()
    .some((member) => String(member).toLowerCase() === dn.toLowerCase());
  if (seats > 0 && !already && seatsTaken(group) >= seats) {
    throw new TaskError('LICENSE_EXHAUSTED', `all ${seats} seats of ${group.dn} are taken`);
  }
  await client.modify(group.dn, add('member', dn)).catch((error) => {
    if (!(error instanceof TypeOrValueExistsError)) throw error;
  });
}

/** A group needs a member, so the empty DN replaces the last one. */
async function leave({ client }: Directory, group: Entry, dn: string): Promise<void> {
  try {
    await client.modify(group.dn, remove('member', dn));
  } catch (error) {
    if (error instanceof NoSuchAttributeError) return;
    if (!(error instanceof ObjectClassViolationError)) throw error;
    await client.modify(group.dn, [add('member', ''), remove('member', dn)]);
  }
}

async function leaveGroups(directory: Directory, dn: string): Promise<void> {
  for (const base of [directory.groups, directory.licenses]) {
    if (!base) continue;
    for (const group of await groupsOf(directory, base, dn)) await leave(directory, group, dn);
  }
}
