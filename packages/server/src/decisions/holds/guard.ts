import type { MembersHook } from '#directory/people/groups.ts';
import type { PeopleHook } from '#directory/people/people.ts';
import type { CallTx, Principal } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Change, Client, Guard, Present, Subject } from './hold.ts';
import { open } from './open.ts';
import * as queries from './queries/windows.ts';

/**
 * Counts the people whom a client deactivates, deletes, or makes successors of others, in the transaction that does so (D78), whichever
 * way the client takes. Above the limit, the window becomes a hold. The caller holds lockPeople, so that changes take turns.
 */
export const guardPeople: PeopleHook = async (tx, events) => {
  const { back, arrived, changes, deleted } = changesIn(events);
  if (back.length > 0) await queries.forgetReturned(tx, back);
  const subject = clientOf(tx, events);
  if (subject === null) return [];
  if (deleted.length > 0)
    for (const userId of await queries.wereActive(tx, deleted)) changes.push({ userId, type: 'left' });
  const manager = subject.client?.type === 'scim' ? subject.client.id : null;
  return changes.length === 0
    ? []
    : count(tx, subject, changes, async (since) =>
        without(arrived, await queries.countPeople(tx, manager, since)),
      );
};

/** Counts the active people who leave a group, whoever makes them leave. Leavers are counted as such. */
export const guardMembers: MembersHook = async (tx, { group, joining, leaving }) => {
  const back = joining.length === 0 ? NOBODY : await queries.formerMembers(tx, group.id, joining);
  const left = [...leaving.keys()];
  if (joining.length + left.length > 0) await queries.forgetMembers(tx, group.id, { joining, leaving: left });
  if (left.length === 0) return { events: [], back };
  const client = keyOf(tx.principal);
  const subject: Subject = { kind: 'group', id: group.id, client, groupName: group.display_name };
  const active = await queries.activeAmong(tx, left);
  const changes = active.map((userId): Change => ({ userId, type: 'left', joinedAt: leaving.get(userId) }));
  if (changes.length === 0) return { events: [], back };
  const joined = (await queries.activeAmong(tx, joining)).length;
  const events = await count(tx, subject, changes, async (since) =>
    without(joined, await queries.countMembers(tx, group.id, since)),
  );
  return { events, back };
};

const NOBODY: ReadonlyMap<string, Date | null> = new Map();

/** Leaves out those who have just come. Nobody of them belongs to the base. */
const without = (arrived: number, { total, base }: Present): Present => ({ total: total - arrived, base });

/**
 * Adds changes to the window of a subject, and makes it a hold if they exceed the limit. `remaining` counts who is left, and those of
 * them who were there at a time.
 */
async function count(
  tx: CallTx,
  subject: Subject,
  changes: readonly Change[],
  remaining: (since: string) => Promise<Present>,
): Promise<NewEvent[]> {
  let window = await queries.addChanges(tx, subject, changes);
  if (window === undefined) {
    const since = await queries.timeBefore(tx, subject);
    const left = await queries.countLeft(tx, subject, { changes, since });
    const { total, base } = await remaining(since);
    await queries.beginWindow(tx, subject, since, { total: total + left.total, base: base + left.base });
    window = await queries.addChanges(tx, subject, changes);
  }
  if (window === undefined) throw new Error('The window has not begun.');
  const exceeding = window.held ? undefined : exceedingShare(window);
  return exceeding === undefined ? [] : open(tx, subject, { ...window, ...exceeding });
}

/**
 * Returns the share that exceeds the limit: of all people, or of the base. Otherwise a client could first add as many people as it needs to
 * let the others go. People outside the base who left are added to both numbers, so that `count` is the number of people in the hold.
 */
function exceedingShare({ guard, count, total, base_count, base_total }: queries.Counted) {
  if (exceeds(guard, count, total)) return { total };
  return exceeds(guard, base_count, base_total) ? { total: base_total + count - base_count } : undefined;
}

const exceeds = (guard: Guard | null, count: number, total: number): boolean =>
  guard !== null && count >= guard.at_least && count * 100 > guard.percent * total;

/** Returns the client whose window counts the changes. Null for a signed-in person, who sees what they do. */
function clientOf(tx: CallTx, events: readonly NewEvent[]): Subject | null {
  const isImport = events.some(({ type }) => type === 'person.imported');
  const people = { kind: 'people', groupName: null } as const;
  if (isImport) return { ...people, id: tx.orgId, client: { type: 'import', id: tx.principal.userId } };
  const client = keyOf(tx.principal);
  return client && { ...people, id: client.id, client };
}

const keyOf = ({ keyId, scopes }: Principal): Client | null =>
  keyId === null ? null : { type: scopes.has('scim') ? 'scim' : 'api_key', id: keyId };

/** Sorts people by what happened to them. Merging two records of one person lets nobody go. */
function changesIn(events: readonly NewEvent[]) {
  const back: string[] = [];
  const created = new Set<string>();
  const left = new Set<string>();
  const deleted = new Set<string>();
  const merged = new Set<string>();
  const successions: Change[] = [];
  for (const { type, subject, payload } of events) {
    if (type === 'user.reactivated') back.push(subject.uuid);
    else if (type === 'user.created') created.add(subject.uuid);
    else if (type === 'user.deactivated') left.add(subject.uuid);
    else if (type === 'user.deleted') deleted.add(subject.uuid);
    else if (type === 'person.merged') merged.add(payload.from);
    else if (type === 'person.succeeded')
      successions.push(
        { userId: subject.uuid, type: 'succeeded' },
        { userId: payload.successor_id, type: 'successor' },
      );
  }
  // Somebody who is created inactive has not left.
  const gone = left.difference(merged).difference(created);
  const changes = [...gone].map((userId): Change => ({ userId, type: 'left' }));
  const arrived = created.difference(left).size + back.length;
  return { back, arrived, changes: [...changes, ...successions], deleted: [...deleted.difference(left)] };
}
