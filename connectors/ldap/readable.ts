import { Failure } from '@gatehouse/connector';
import { type Entry, EqualityFilter } from 'ldapts';
import { and } from './groups.ts';
import type { Directory } from './kinds.ts';
import { attributeFor, groupFilters } from './members.ts';
import { sorted } from './session.ts';

/**
 * Ends with a sentence if the bind DN may not read what decides about access: an account without a lock looks active, and a group
 * without members empty. A search omits such attributes in silence, but a comparison is refused. Active Directory does not
 * refuse it. Looks at one account, and at one group for each attribute with members.
 */
export async function requireReadable(directory: Directory): Promise<void> {
  const { session, kind, users, userFilter, groups, licenses, groupFilter } = directory;
  if (kind.name === 'ad') return;
  const person = await session.find(users, userFilter, [kind.username]);
  const [lock] = kind.lock({ dn: '' }, true);
  if (person && lock) {
    const { type, values } = lock.modification;
    await requireOne(directory, person, kind.username, type, String(values[0]));
  }
  for (const base of [groups, licenses]) {
    for (const [attribute, filter] of base ? groupFilters : []) {
      const group = await session.find(base ?? '', and(groupFilter, filter), ['cn']);
      if (group) await requireOne(directory, group, 'cn', attribute, group.dn);
    }
  }
}

/**
 * Whether the bind DN may read who the members of a group are, which seems to be empty. Active Directory does not say so, but accounts name
 * their groups, too.
 */
export async function mayReadMembers(directory: Directory, group: Entry): Promise<boolean> {
  const { session, kind, root } = directory;
  if (kind.name !== 'ad') return mayRead(directory, group, 'cn', attributeFor(group), group.dn);
  const naming = new EqualityFilter({ attribute: 'memberOf', value: group.dn });
  return root === undefined || (await session.find(root, naming, ['cn'])) === undefined;
}

async function requireOne(
  directory: Directory,
  entry: Entry,
  visible: string,
  attribute: string,
  value: string,
): Promise<void> {
  if (await mayRead(directory, entry, visible, attribute, value)) return;
  throw new Failure(`the bind DN may not read ${attribute} of ${entry.dn}: allow it to`);
}

/** Compares a visible attribute as well: a server may let the bind DN read, but not compare. */
async function mayRead(
  { session }: Directory,
  entry: Entry,
  visible: string,
  attribute: string,
  value: string,
): Promise<boolean> {
  const [known] = sorted(entry[visible]);
  if (await session.mayCompare(entry.dn, attribute, value)) return true;
  return known === undefined || !(await session.mayCompare(entry.dn, visible, known));
}
