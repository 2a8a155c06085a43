import { randomUUIDv7 } from 'node:crypto';
import type { NewEvent } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal, Role } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isDuplicate } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import { filterInTurns, mapInTurns } from '../platform/pacer.ts';
import * as queries from './group-queries.ts';
import { draftChange } from './person.ts';
import { lockPeople } from './queries.ts';
import { aboutPerson, type PeopleHook, recordPeopleEvents, runHooks, save } from './save.ts';

export {
  findSameGroup,
  GROUP_ROLES,
  listGroups,
  listMembers,
  type PersonGroup,
} from './group-queries.ts';

/** A step in a change of a group's members. `replace` leaves nobody else in the group. */
export interface MemberStep {
  op: 'add' | 'remove' | 'replace';
  people: string[];
}

/** A group as it should be. The steps are taken in order. */
export interface GroupWrite {
  group: Pick<queries.PersonGroup, 'id' | 'display_name' | 'external_id'>;
  members: MemberStep[];
}

const MOST_NAME = 255;

/**
 * Creates or changes a group for an identity provider. `decide` runs while no other change of people or groups can.
 * Members get the role that the group gives (D50). Returns the id.
 */
export async function writeGroup(
  db: Db,
  { orgId }: Principal,
  cause: RequestCause,
  hooks: readonly PeopleHook[],
  decide: (tx: Tx) => Promise<GroupWrite>,
): Promise<string> {
  return change(db, orgId, hooks, async (tx) => {
    const { group, members } = await decide(tx);
    if (group.display_name.length > MOST_NAME)
      throw invalid(`displayName has more than ${MOST_NAME} characters. Shorten it.`);
    const before = await queries.findGroup(tx, orgId, group.id);
    const { joining, leaving } = await differenceOf(tx, orgId, group.id, members);
    const isRenamed = before !== undefined && before.display_name !== group.display_name;
    const present = isRenamed ? await queries.memberIds(tx, orgId, group.id) : leaving;
    const affected = [...joining, ...present];
    const events = await following(tx, orgId, cause, affected, async () => {
      const changes = (['display_name', 'external_id'] as const)
        .map((field) => ({ field, from: before?.[field] ?? null, to: group[field] }))
        .filter(({ from, to }) => from !== to);
      const about = { ...cause, subject: { type: 'system' as const, uuid: orgId } };
      const payload = { group_id: group.id, name: group.display_name };
      const own: NewEvent[] = [];
      const role = before?.role ?? null;
      if (before === undefined || changes.length > 0)
        await queries.upsertGroup(tx, orgId, { ...group, role }).catch((error: unknown) => {
          throw isDuplicate(error)
            ? conflict(`A group with the name ${group.display_name} or the same externalId already exists.`)
            : error;
        });
      if (before === undefined) own.push({ type: 'person_group.created', ...about, payload });
      else if (changes.length > 0)
        own.push({ type: 'person_group.updated', ...about, payload: { ...payload, changes } });
      if (joining.length + leaving.length > 0) {
        await queries.removeMembers(tx, orgId, group.id, leaving);
        await queries.addMembers(tx, orgId, group.id, joining);
        if (before !== undefined && changes.length === 0)
          await queries.upsertGroup(tx, orgId, { ...group, role });
        own.push({
          type: 'person_group.members_changed',
          ...about,
          payload: { ...payload, added: joining.length, removed: leaving.length },
        });
      }
      return own;
    });
    return { id: group.id, events };
  });
}

/** Sets the role that a group gives its members (null: none), and applies it at once. */
export async function setGroupRole(
  db: Db,
  { orgId }: Principal,
  cause: RequestCause,
  hooks: readonly PeopleHook[],
  id: string,
  role: queries.GroupRole | null,
): Promise<queries.PersonGroup> {
  await change(db, orgId, hooks, async (tx) => {
    const group = await existingGroup(tx, orgId, id);
    if (group.role === role) return { id, events: [] };
    const members = await queries.memberIds(tx, orgId, id);
    const events = await following(tx, orgId, cause, members, async () => {
      await queries.upsertGroup(tx, orgId, { ...group, role });
      return [
        {
          type: 'person_group.role_set' as const,
          ...cause,
          subject: { type: 'system' as const, uuid: orgId },
          payload: { group_id: id, name: group.display_name, from: group.role, to: role },
        },
      ];
    });
    return { id, events };
  });
  return existingGroup(db, orgId, id);
}

/** Deletes a group. `check` may refuse it. Its members lose the role that it gives. */
export async function deleteGroup(
  db: Db,
  { orgId }: Principal,
  cause: RequestCause,
  hooks: readonly PeopleHook[],
  id: string,
  check: (tx: Tx, group: queries.PersonGroup) => Promise<void> = async () => {},
): Promise<void> {
  await change(db, orgId, hooks, async (tx) => {
    const group = await existingGroup(tx, orgId, id);
    await check(tx, group);
    const members = await queries.memberIds(tx, orgId, id);
    const events = await following(tx, orgId, cause, members, async () => {
      await queries.deleteGroup(tx, orgId, id);
      return [
        {
          type: 'person_group.deleted' as const,
          ...cause,
          subject: { type: 'system' as const, uuid: orgId },
          payload: { group_id: id, name: group.display_name },
        },
      ];
    });
    return { id, events };
  });
}

/** Removes a person from all groups, in the caller's transaction, which must hold lockPeople. Returns the events. */
export async function leaveGroups(
  tx: Tx,
  orgId: string,
  cause: RequestCause,
  userId: string,
): Promise<NewEvent[]> {
  return following(tx, orgId, cause, [userId], async () => {
    await queries.forgetMember(tx, orgId, userId);
    return [];
  });
}

/** Returns a group. Throws 404 for a group that is not in the organization. */
export async function existingGroup(db: Db, orgId: string, id: string): Promise<queries.PersonGroup> {
  const group = isUuid(id) ? await queries.findGroup(db, orgId, id) : undefined;
  if (group === undefined) throw notFound('Group');
  return group;
}

export const newGroupId = randomUUIDv7;

async function change(
  db: Db,
  orgId: string,
  hooks: readonly PeopleHook[],
  work: (tx: Tx) => Promise<{ id: string; events: NewEvent[] }>,
): Promise<string> {
  return transaction(db, async (tx) => {
    await lockPeople(tx, orgId);
    const { id, events } = await work(tx);
    await runHooks(tx, orgId, events, hooks);
    await recordPeopleEvents(tx, orgId, events);
    return id;
  });
}

/**
 * Returns who joins and who leaves a group if the steps are taken in order. Reads only the members whom the steps name,
 * unless one replaces them all. Throws 400 for an unknown person.
 */
async function differenceOf(tx: Tx, orgId: string, id: string, steps: MemberStep[]) {
  const added = new Set<string>();
  const wanted = new Map<string, boolean>();
  let replaces = false;
  for (const { op, people } of steps) {
    if (op === 'replace') {
      replaces = true;
      wanted.clear();
    }
    for (const person of people) {
      wanted.set(person, op !== 'remove');
      if (op !== 'remove') added.add(person);
    }
  }
  await requireMembers(tx, orgId, [...added]);
  const present = new Set(await queries.memberIds(tx, orgId, id, replaces ? undefined : [...wanted.keys()]));
  return {
    joining: await filterInTurns(wanted.keys(), (one) => wanted.get(one) === true && !present.has(one)),
    leaving: await filterInTurns(present, (one) => wanted.get(one) !== true),
  };
}

async function requireMembers(tx: Tx, orgId: string, ids: string[]): Promise<void> {
  const eligible = await queries.eligibleAmong(tx, orgId, ids);
  const unknown = ids.find((id) => !eligible.has(id));
  if (unknown === undefined) return;
  throw invalid(
    (await queries.findGroup(tx, orgId, unknown)) === undefined
      ? `The member ${unknown} is not a user. Create the user first.`
      : `The member ${unknown} is a group. Groups cannot contain groups: add its members instead.`,
  );
}

const RANKS: Record<Role, number> = { owner: 3, admin: 2, auditor: 1, member: 0 };
const higherRole = (one: Role, other: Role) => (RANKS[one] >= RANKS[other] ? one : other);

/**
 * Makes a change of groups and returns its events, those of the roles that follow from it, and a user.updated for each
 * person whose groups changed, so that policies see it. A person has the highest of their own role and those that groups give,
 * and their own role again after that. Owners stay owners.
 */
async function following(
  tx: Tx,
  orgId: string,
  cause: RequestCause,
  affected: string[],
  make: () => Promise<NewEvent[]>,
): Promise<NewEvent[]> {
  const before = await queries.standings(tx, orgId, affected);
  const events = await make();
  const after = await queries.standings(tx, orgId, affected);
  const changed = await filterInTurns(affected, (id) => {
    const [one, other] = [before.get(id), after.get(id)];
    return one?.role !== other?.role || String(one?.names) !== String(other?.names);
  });
  if (changed.length === 0) return events;
  const profiles = await queries.profilesOf(tx, orgId, changed);
  const ownRoles = await queries.rolesBeforeGroups(tx, orgId, changed);
  const given = await mapInTurns(profiles, (profile) => {
    const own = profile.role === 'owner' ? 'owner' : (ownRoles.get(profile.id) ?? profile.role);
    const role = higherRole(own, after.get(profile.id)?.role ?? 'member');
    return { id: profile.id, draft: draftChange(profile, { role }), role: role === own ? null : own };
  });
  const noted = await filterInTurns(given, ({ id, role }) => role !== (ownRoles.get(id) ?? null));
  for (const event of await save(
    tx,
    orgId,
    cause,
    given.map(({ draft }) => draft),
  ))
    events.push(event);
  if (noted.length > 0) await queries.setRolesBeforeGroups(tx, orgId, noted);
  for (const profile of profiles) {
    const [from, to] = [before.get(profile.id)?.names ?? [], after.get(profile.id)?.names ?? []];
    if (String(from) === String(to)) continue;
    events.push({
      type: 'user.updated',
      actor: cause.actor,
      subject: { type: 'platform_user', uuid: profile.id },
      source: cause.source,
      payload: { ...aboutPerson(profile), changes: [{ field: 'groups', from, to }] },
    });
  }
  return events;
}
