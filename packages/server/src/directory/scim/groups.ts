import { findSameGroup } from '#directory/people/group-facts.ts';
import {
  deleteGroup as deletePersonGroup,
  type MemberStep,
  newGroupId,
  writeGroup,
} from '#directory/people/groups.ts';
import type { PersonGroup } from '#directory/people/schemas.ts';
import type { OrgTx } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { isUuid } from '#kit/ids.ts';
import { type Call, requireVersion } from './call.ts';
import { bad, unique } from './errors.ts';
import type { ElementFilter } from './filter.ts';
import { applyPatch, attributesOf, knownPath, readPatch, readPath, readResource } from './patch.ts';
import type { Operation, Target } from './patch-list.ts';
import * as queries from './queries/scim.ts';
import { isObject, type Resource } from './resource.ts';
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

export async function getGroup(call: Call, id: string, withMembers = true): Promise<Resource> {
  const row = isUuid(id) ? await queries.findGroup(call, id, withMembers) : undefined;
  if (row === undefined) throw notFound('Group');
  return groupResource(row, call.base);
}

/**
 * Creates a group, or takes over a released one with the same externalId. Throws 409 `uniqueness`, with the address of the existing group,
 * if its externalId is taken. Without an externalId, a client that repeats a request is recognized by the name. Otherwise, groups can
 * share a name.
 */
export async function createGroup(call: Call, body: unknown, withMembers = true): Promise<Resource> {
  const { names, members } = readGroup(body);
  const created = { id: newGroupId(), ...names };
  const id = await writeGroup(call, async (tx) => {
    const same = await findSameGroup(tx, created);
    if (same === undefined) return { group: created, members };
    if (!isReleased(same, created)) throw alreadyExists(call, created, same);
    return { group: { ...created, id: same.id }, members };
  });
  return getGroup(call, id, withMembers);
}

/** Replaces the name, the externalId and the members of a group. Members that the body does not mention, or gives as null, stay (D79). */
export async function replaceGroup(
  call: Call,
  id: string,
  body: unknown,
  withMembers = true,
): Promise<Resource> {
  const { names, members } = readGroup(body);
  await change(call, id, async () => ({ ...names, members }));
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
    if (group.external_id !== null) await requireUnique(tx, call, group);
    return { group, members };
  });
}

type Names = Pick<PersonGroup, 'id' | 'display_name' | 'external_id'>;

async function requireUnique(tx: OrgTx, call: Call, group: Names) {
  const other = await findSameGroup(tx, group);
  if (other !== undefined) throw alreadyExists(call, group, other);
}

const alreadyExists = ({ base }: Call, { external_id }: Names, other: Names) =>
  unique(
    `A group with this ${external_id === null ? 'displayName, also without an externalId,' : 'externalId'} already exists: ${base}/Groups/${other.id}.`,
  );

/** Whether an administrator released a group, which its id brings back. */
const isReleased = ({ key_id }: PersonGroup, { external_id }: Names) =>
  key_id === null && external_id !== null;

/** Reads a group that a client sent: its names, and the step that its members call for, if it mentions them. */
function readGroup(body: unknown): { names: Omit<Names, 'id'>; members: MemberStep[] } {
  const entries = Object.entries(attributesOf(Group, body)).map(([key, part]) => ({
    key,
    part,
    target: knownPath(Group, key),
  }));
  const isMembers = ({ target }: (typeof entries)[number]) => target?.attribute?.name === 'members';
  const given = entries.filter(isMembers);
  const [members, second] = given;
  if (second !== undefined) throw bad('invalidSyntax', 'members is in the body more than once.');
  if (members?.target?.filter !== undefined || members?.target?.sub !== undefined)
    throw bad('invalidPath', 'Send members as a list, without a filter or a part of it.');
  const others = entries.filter((entry) => !isMembers(entry)).map(({ key, part }) => [key, part]);
  const { resource } = readResource(Group, Object.fromEntries(others));
  return {
    names: namesOf(resource),
    members: members?.part == null ? [] : [{ op: 'replace', people: idsOf(members.part) }],
  };
}

function namesOf({ displayName, externalId }: Resource): Pick<PersonGroup, 'display_name' | 'external_id'> {
  if (typeof displayName !== 'string' || displayName.trim() === '')
    throw bad('invalidValue', 'displayName is required.');
  return { display_name: displayName, external_id: typeof externalId === 'string' ? externalId : null };
}

/**
 * Reads members: a list of users, or one user. Throws 400 for anything else, and for a member without an id: what cannot be read must not
 * empty a group.
 */
function idsOf(members: unknown): string[] {
  if (!Array.isArray(members) && !isObject(members))
    throw bad('invalidValue', 'members must be a list of users. Send an empty list to remove all members.');
  return [...new Set([members].flat().map(idOf))];
}

function idOf(member: unknown): string {
  if (!isObject(member) && typeof member !== 'string')
    throw bad('invalidValue', `${JSON.stringify(member)} is not a member. Send {"value": "<id of a user>"}.`);
  const parts = isObject(member) ? member : { value: member };
  const part = (name: string) => Object.entries(parts).find(([key]) => key.toLowerCase() === name)?.[1];
  if (String(part('type') ?? 'User').toLowerCase() === 'group')
    throw bad('invalidValue', 'Groups cannot contain groups. Add the members of the group instead.');
  // A reference is read to its end, `.../Users/<id>`.
  const id = part('value') ?? /\/Users\/([^/]+)$/.exec(String(part('$ref') ?? ''))?.[1];
  if (!isUuid(id))
    throw bad(
      'invalidValue',
      `${JSON.stringify(part('value') ?? member).slice(0, LONGEST_SHOWN)} is not the id of a user.`,
    );
  return id.toLowerCase();
}

const LONGEST_SHOWN = 200;

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
  if (value === undefined || value === null) return op === 'remove' ? [{ op: 'replace', people: [] }] : [];
  // `members.value` names the ids themselves.
  const isId = sub !== undefined && typeof value === 'string';
  return [{ op, people: idsOf(isId ? [value] : value) }];
}

/** Returns the ids in `value eq "..."`, or in several of them joined by `or`. Undefined for any other filter. */
function idsIn(filter: ElementFilter): string[] | undefined {
  if (filter.is === 'compare' && filter.op === 'eq' && filter.at.name === 'value')
    return isUuid(filter.value) ? [filter.value.toLowerCase()] : [];
  if (filter.is !== 'or') return undefined;
  const parts = filter.of.map(idsIn);
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}
