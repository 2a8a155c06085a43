import type { Db } from '../../kit/database/open.ts';
import { type OrgTx, within } from '../../kit/database/organization.ts';
import { notFound, taken } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { findSameGroup, type PersonGroup } from '../people/group-facts.ts';
import {
  deleteGroup as deletePersonGroup,
  type MemberStep,
  newGroupId,
  writeGroup,
} from '../people/groups.ts';
import { type Call, requireVersion } from './call.ts';
import { bad } from './errors.ts';
import type { ElementFilter } from './filter.ts';
import {
  applyPatch,
  knownPath,
  type Operation,
  readPatch,
  readPath,
  readResource,
  type Target,
} from './patch.ts';
import * as queries from './queries/scim.ts';
import { type Element, isObject, type Resource, readValue } from './resource.ts';
import { GROUP, Group } from './schema.ts';

/** Returns a group as a SCIM group. */
export function groupResource(row: queries.GroupRow, base: string): Resource {
  const members = row.members?.map(({ value, display }) => ({
    value,
    $ref: `${base}/Users/${value}`,
    display,
    type: 'User',
  }));
  return {
    schemas: [GROUP],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(members === undefined || members.length === 0 ? {} : { members }),
    meta: {
      resourceType: 'Group',
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: `${base}/Groups/${row.id}`,
      version: versionOf(row),
    },
  };
}

const versionOf = ({ version }: { version: number }) => `W/"${version}"`;

export async function getGroup(
  { db, principal, base }: Call,
  id: string,
  withMembers = true,
): Promise<Resource> {
  const row = isUuid(id) ? await queries.findGroup(within(db, principal.orgId), id, withMembers) : undefined;
  if (row === undefined) throw notFound('Group');
  return groupResource(row, base);
}

/**
 * Creates a group. Throws 409 `uniqueness`, with the address of the existing group, if its externalId is taken. Without an externalId,
 * a client that repeats a request is recognized by the name. Otherwise, groups can share a name.
 */
export async function createGroup(call: Call, body: unknown, withMembers = true): Promise<Resource> {
  const { resource } = readResource(Group, body);
  const group = { id: newGroupId(), ...namesOf(resource) };
  const members: MemberStep[] = [{ op: 'add', people: idsOf(resource.members) }];
  const id = await writeGroup(call, async (tx) => {
    await requireUnique(tx.db, call, group);
    return { group, members };
  });
  return getGroup(call, id, withMembers);
}

/** Replaces the name, the externalId and the members of a group. */
export async function replaceGroup(
  call: Call,
  id: string,
  body: unknown,
  withMembers = true,
): Promise<Resource> {
  const { resource } = readResource(Group, body);
  const people = idsOf(resource.members);
  await change(call, id, async () => ({
    ...namesOf(resource),
    members: [{ op: 'replace', people }],
  }));
  return getGroup(call, id, withMembers);
}

/** Applies a PATCH (RFC 7644, 3.5.2). Reads only the members that it names, since groups can be very large. */
export async function patchGroup(call: Call, id: string, body: unknown): Promise<void> {
  const operations = readPatch(Group, body).flatMap(splitMembers);
  await change(call, id, async (tx, before) => {
    const resource: Resource = {
      displayName: before.display_name,
      ...(before.external_id === null ? {} : { externalId: before.external_id }),
    };
    const members: MemberStep[] = [];
    for (const operation of operations) {
      if ('target' in operation) members.push(...(await stepsOf(tx, before.id, operation, members)));
      else applyPatch(Group, resource, [operation]);
    }
    return { ...namesOf(resource), members };
  });
}

export async function deleteGroup(call: Call, id: string): Promise<void> {
  await deletePersonGroup(call, id, async (_tx, group) => requireVersion(call, versionOf(group)));
}

async function change(
  call: Call,
  id: string,
  decide: (
    tx: OrgTx,
    before: queries.GroupRow,
  ) => Promise<Pick<PersonGroup, 'display_name' | 'external_id'> & { members: MemberStep[] }>,
): Promise<void> {
  await writeGroup(call, async (tx) => {
    const before = isUuid(id) ? await queries.findGroup(tx, id, false) : undefined;
    if (before === undefined) throw notFound('Group');
    requireVersion(call, versionOf(before));
    const { members, ...names } = await decide(tx, before);
    const group = { id: before.id, ...names };
    if (group.external_id !== null) await requireUnique(tx.db, call, group);
    return { group, members };
  });
}

async function requireUnique(
  db: Db,
  { principal, base }: Call,
  group: Pick<PersonGroup, 'id' | 'display_name' | 'external_id'>,
) {
  const other = await findSameGroup(within(db, principal.orgId), group);
  if (other !== undefined)
    throw taken(
      `A group with this ${group.external_id === null ? 'displayName, also without an externalId,' : 'externalId'} already exists: ${base}/Groups/${other.id}.`,
    );
}

function namesOf({ displayName, externalId }: Resource): Pick<PersonGroup, 'display_name' | 'external_id'> {
  if (typeof displayName !== 'string' || displayName.trim() === '')
    throw bad('invalidValue', 'displayName is required.');
  return { display_name: displayName, external_id: typeof externalId === 'string' ? externalId : null };
}

function idsOf(members: unknown): string[] {
  const list = Array.isArray(members) ? (members as Element[]) : [];
  const ids = list.map(({ value, type }) => {
    if (String(type ?? 'User').toLowerCase() === 'group')
      throw bad('invalidValue', 'Groups cannot contain groups. Add the members of the group instead.');
    if (!isUuid(value)) throw bad('invalidValue', `${JSON.stringify(value)} is not the id of a user.`);
    return value.toLowerCase();
  });
  return [...new Set(ids)];
}

interface MemberOperation extends Operation {
  target: Target;
}

/** Splits an operation into its changes of members and its other changes. */
function splitMembers(operation: Operation): (Operation | MemberOperation)[] {
  const { op, path, value } = operation;
  if (path !== undefined) {
    const target = readPath(Group, path);
    return target?.attribute?.name === 'members' ? [{ ...operation, target }] : [operation];
  }
  if (!isObject(value)) return [operation];
  return Object.entries(value).map(([key, part]) => {
    const target = knownPath(Group, key);
    return target?.attribute?.name === 'members'
      ? { op, path: key, value: part, target }
      : { op, path: undefined, value: { [key]: part } };
  });
}

async function stepsOf(
  tx: OrgTx,
  groupId: string,
  { op, target, value }: MemberOperation,
  earlier: MemberStep[],
): Promise<MemberStep[]> {
  const { attribute, filter, sub } = target;
  if (attribute === undefined) return [];
  if (filter !== undefined) {
    if (op !== 'remove') throw bad('mutability', 'Members can be added or removed, but not changed.');
    const ids = idsIn(filter);
    if (ids !== undefined) return [{ op, people: ids }];
    if (earlier.length > 0)
      throw bad(
        'invalidPath',
        'An operation that filters members by anything but value must come before all other changes of members.',
      );
    return [{ op, people: await queries.membersMatching(tx, groupId, filter) }];
  }
  if (sub !== undefined && sub.name !== 'value')
    throw bad('mutability', 'Members can be added or removed, but not changed.');
  if (op === 'remove' && (value === undefined || value === null)) return [{ op: 'replace', people: [] }];
  return [{ op, people: idsOf(readValue(attribute, value)) }];
}

/** Returns the ids in `value eq "..."`, or in several of them joined by `or`. Undefined for any other filter. */
function idsIn(filter: ElementFilter): string[] | undefined {
  if (filter.is === 'compare' && filter.op === 'eq' && filter.at.name === 'value')
    return isUuid(filter.value) ? [filter.value.toLowerCase()] : [];
  if (filter.is !== 'or') return undefined;
  const parts = filter.of.map(idsIn);
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}
