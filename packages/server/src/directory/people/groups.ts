import { randomUUIDv7 } from 'node:crypto';
import { hookPoint, isDuplicate, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx, RequestCause, Role } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { isSame } from '#kit/nfc.ts';
import { filterInTurns, mapInTurns } from '#kit/pacer.ts';
import type { NewEvent } from '#log/events/record.ts';
import { draftChange } from './person.ts';
import * as queries from './queries/groups.ts';
import { lockPeople } from './queries/people.ts';
import { aboutPerson, recordPeopleEvents, runHooks, save } from './save.ts';
import type { GroupRole, PersonGroup } from './schemas.ts';
import { personRefusals } from './sentences.ts';

/** A step in a change of a group's members. `replace` leaves nobody else in the group. */
export interface MemberStep {
  op: 'add' | 'remove' | 'replace';
  people: string[];
}

/** A group as it should be. The steps are taken in order. */
export interface GroupWrite {
  group: Pick<PersonGroup, 'id' | 'display_name' | 'external_id'>;
  members: MemberStep[];
}

/** The people who joined and left a group by a change of the group. */
export interface MembersChange {
  group: Pick<PersonGroup, 'id' | 'display_name'>;
  joining: readonly string[];
  /** With when they had joined. Null: with the creation of the group. */
  leaving: ReadonlyMap<string, Date | null>;
}

/**
 * Reacts to a change of a group's members, or to its deletion, in the same transaction. Returns the events of its own changes, and those
 * who are back after a short time, with when they had joined before.
 */
export type MembersHook = (
  tx: CallTx,
  change: MembersChange,
) => Promise<{ events: readonly NewEvent[]; back: ReadonlyMap<string, Date | null> }>;

export const membersHooks = hookPoint<MembersHook>();

const MOST_NAME = 255;

/**
 * Creates or changes a group for an identity provider. `decide` runs while no other change of people or groups can.
 * Members get the role that the group gives (D50). Returns the id.
 */
export async function writeGroup(call: Call, decide: (tx: OrgTx) => Promise<GroupWrite>): Promise<string> {
  return change(call, async (tx) => {
    const { group, members } = await decide(tx);
    if (group.display_name.length > MOST_NAME)
      throw personRefusals.person_group_name_too_long({ most: MOST_NAME });
    const before = await queries.findGroup(tx, group.id);
    const difference = await differenceOf(tx, group.id, members);
    const isRenamed = before !== undefined && before.display_name !== group.display_name;
    const present = isRenamed ? await queries.memberIds(tx, group.id) : difference.leaving;
    const affected = [...difference.joining, ...present];
    const { joining } = difference;
    const leaving = await joinedAt(tx, group.id, difference.leaving);
    const events = await following(tx, call.cause, affected, () =>
      store(tx, call, { before, group, difference }),
    );
    return { id: group.id, events, members: { group, joining, leaving } };
  });
}

interface GroupChange {
  before: PersonGroup | undefined;
  group: GroupWrite['group'];
  difference: { joining: string[]; leaving: string[] };
}

/** Writes a group and its members. Returns the events. */
async function store(
  tx: OrgTx,
  { orgId, cause, principal: { keyId } }: Call,
  { before, group, difference: { joining, leaving } }: GroupChange,
): Promise<NewEvent[]> {
  const changes = (['display_name', 'external_id'] as const)
    .map((field) => ({ field, from: before?.[field] ?? null, to: group[field] }))
    .filter(({ from, to }) => from !== to);
  const about = { ...cause, subject: { type: 'system' as const, uuid: orgId } };
  const payload = { group_id: group.id, name: group.display_name };
  const own: NewEvent[] = [];
  const hasMoved = joining.length + leaving.length > 0;
  const role = before?.role ?? null;
  if (before === undefined || changes.length > 0 || hasMoved)
    await queries.upsertGroup(tx, { ...group, role }, keyId).catch((error: unknown) => {
      throw isDuplicate(error) ? personRefusals.person_group_external_id_taken() : error;
    });
  else if (before.key_id !== keyId) await queries.setClient(tx, group.id, keyId);
  if (before === undefined) own.push({ type: 'person_group.created', ...about, payload });
  else if (changes.length > 0)
    own.push({ type: 'person_group.updated', ...about, payload: { ...payload, changes } });
  if (hasMoved) {
    await queries.removeMembers(tx, group.id, leaving);
    await queries.addMembers(tx, group.id, joining, { isNew: before === undefined });
    own.push({
      type: 'person_group.members_changed',
      ...about,
      payload: { ...payload, added: joining.length, removed: leaving.length },
    });
  }
  return own;
}

/** Sets the role that a group gives its members (null: none), and applies it immediately. */
export async function setGroupRole(call: Call, id: string, role: GroupRole | null): Promise<PersonGroup> {
  await change(call, async (tx) => {
    const group = await existingGroup(tx, id);
    if (group.role === role) return { id, events: [] };
    const members = await queries.memberIds(tx, id);
    const events = await following(tx, call.cause, members, async () => {
      await queries.upsertGroup(tx, { ...group, role });
      return [
        {
          type: 'person_group.role_set' as const,
          ...call.cause,
          subject: { type: 'system' as const, uuid: call.orgId },
          payload: { group_id: id, name: group.display_name, from: group.role, to: role },
        },
      ];
    });
    return { id, events };
  });
  return existingGroup(call, id);
}

/** Deletes a group. `check` may refuse it. Its members lose the role that it gives. */
export async function deleteGroup(
  call: Call,
  id: string,
  check: (tx: OrgTx, group: PersonGroup) => Promise<void> = async () => {},
): Promise<void> {
  await change(call, async (tx) => {
    const group = await existingGroup(tx, id);
    await check(tx, group);
    const leaving = await queries.joinedAt(tx, id);
    const events = await following(tx, call.cause, [...leaving.keys()], async () => {
      await queries.deleteGroup(tx, id);
      return [
        {
          type: 'person_group.deleted' as const,
          ...call.cause,
          subject: { type: 'system' as const, uuid: call.orgId },
          payload: { group_id: id, name: group.display_name },
        },
      ];
    });
    return { id, events, members: { group, joining: [], leaving } };
  });
}

/** Removes a person from all groups, in the caller's transaction, which must hold lockPeople. Returns the events. */
export async function leaveGroups(tx: OrgTx, cause: RequestCause, userId: string): Promise<NewEvent[]> {
  return following(tx, cause, [userId], async () => {
    await queries.forgetMember(tx, userId);
    return [];
  });
}

/** Returns a group. Throws 404 for a group that is not in the organization. */
export async function existingGroup(db: OrgDb, id: string): Promise<PersonGroup> {
  const group = isUuid(id) ? await queries.findGroup(db, id) : undefined;
  if (group === undefined) throw notFound('Group');
  return group;
}

export const newGroupId = randomUUIDv7;

async function change(
  call: Call,
  work: (tx: CallTx) => Promise<{ id: string; events: NewEvent[]; members?: MembersChange }>,
): Promise<string> {
  return transaction(call, async (tx) => {
    await lockPeople(tx);
    const { id, events, members } = await work(tx);
    const caused: NewEvent[] = [];
    if (members !== undefined)
      for (const hook of membersHooks.of(tx)) {
        const { events: own, back } = await hook(tx, members);
        caused.push(...own);
        if (back.size > 0) await queries.keepJoinedAt(tx, id, back);
      }
    await recordPeopleEvents(tx, [...(await runHooks(tx, events)), ...caused]);
    return id;
  });
}

const joinedAt = async (tx: OrgTx, id: string, people: readonly string[]) =>
  people.length === 0 ? new Map<string, Date | null>() : queries.joinedAt(tx, id, people);

/**
 * Returns who joins and who leaves a group if the steps are taken in order. Reads only the members whom the steps name,
 * unless one replaces them all. Throws 400 for an unknown person.
 */
async function differenceOf(tx: OrgTx, id: string, steps: MemberStep[]) {
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
  await requireMembers(tx, [...added]);
  const present = new Set(await queries.memberIds(tx, id, replaces ? undefined : [...wanted.keys()]));
  return {
    joining: await filterInTurns(wanted.keys(), (one) => wanted.get(one) === true && !present.has(one)),
    leaving: await filterInTurns(present, (one) => wanted.get(one) !== true),
  };
}

async function requireMembers(tx: OrgTx, ids: string[]): Promise<void> {
  const eligible = await queries.eligibleAmong(tx, ids);
  const unknown = ids.find((id) => !eligible.has(id));
  if (unknown === undefined) return;
  throw (await queries.findGroup(tx, unknown)) === undefined
    ? personRefusals.member_not_a_person({ id: unknown })
    : personRefusals.member_is_a_group({ id: unknown });
}

const RANKS: Record<Role, number> = { owner: 3, admin: 2, auditor: 1, member: 0 };
const higherRole = (one: Role, other: Role) => (RANKS[one] >= RANKS[other] ? one : other);

/**
 * Makes a change of groups and returns its events, those of the roles that follow from it, and a user.updated for each
 * person whose groups changed, so that policies see it. A person has the highest of their own role and those that groups give,
 * and their own role again after that. Owners stay owners.
 */
async function following(
  tx: OrgTx,
  cause: RequestCause,
  affected: string[],
  make: () => Promise<NewEvent[]>,
): Promise<NewEvent[]> {
  const before = await queries.standings(tx, affected);
  const events = await make();
  const after = await queries.standings(tx, affected);
  const changed = await filterInTurns(affected, (id) => {
    const [one, other] = [before.get(id), after.get(id)];
    return one?.role !== other?.role || !isSame(one?.names, other?.names);
  });
  if (changed.length === 0) return events;
  const profiles = await queries.profilesOf(tx, changed);
  const ownRoles = await queries.rolesBeforeGroups(tx, changed);
  const given = await mapInTurns(profiles, (profile) => {
    const own = profile.role === 'owner' ? 'owner' : (ownRoles.get(profile.id) ?? profile.role);
    const role = higherRole(own, after.get(profile.id)?.role ?? 'member');
    return { id: profile.id, draft: draftChange(profile, { role }), role: role === own ? null : own };
  });
  const noted = await filterInTurns(given, ({ id, role }) => role !== (ownRoles.get(id) ?? null));
  for (const event of await save(
    tx,
    cause,
    given.map(({ draft }) => draft),
  ))
    events.push(event);
  if (noted.length > 0) await queries.setRolesBeforeGroups(tx, noted);
  for (const profile of profiles) {
    const [from, to] = [before.get(profile.id)?.names ?? [], after.get(profile.id)?.names ?? []];
    if (isSame(from, to)) continue;
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
