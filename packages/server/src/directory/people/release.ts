import { type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx } from '#kit/identity.ts';
import { giveWay } from '#kit/place.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { profilesOf } from './queries/groups.ts';
import * as queries from './queries/people.ts';
import { forgetIdsOf, peopleOfClient, releaseGroups, releaseSources } from './queries/sources.ts';
import { aboutPerson } from './save.ts';
import { personRefusals } from './sentences.ts';

/**
 * Makes all fields of a person editable again, for a provider that was abandoned. The provider owns again what it writes
 * later, and its id of the person is kept until then (D63). Throws 409 if no provider owns anything of them.
 */
export async function releasePerson(call: Call, userId: string): Promise<void> {
  await transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    const person = await queries.findPerson(tx, userId);
    if (person === undefined) throw notFound('Person');
    const events = await releaseIn(tx, [userId]);
    if (events.length === 0) throw personRefusals.person_not_managed();
    await recordEvents(tx, events);
  });
}

const AT_ONCE = 500;

/**
 * Releases all people and groups of a client, in pieces that each commit by themselves: a release that was interrupted is repeated. With
 * `forgetIds`, the ids of everybody who was released from the client, or whom it deleted, are forgotten. Returns how many were released.
 */
export async function releaseClient(
  call: Call,
  keyId: string,
  { forgetIds }: { forgetIds: boolean },
): Promise<{ people: number; groups: number }> {
  const people = await inPieces(call, async (tx) => releaseIn(tx, await peopleOfClient(tx, keyId, AT_ONCE)));
  const about = { ...call.cause, subject: { type: 'system' as const, uuid: call.orgId } };
  const groups = await inPieces(call, async (tx) =>
    (await releaseGroups(tx, keyId, AT_ONCE)).map(({ id, display_name }) => ({
      type: 'person_group.released',
      ...about,
      payload: { group_id: id, name: display_name },
    })),
  );
  if (forgetIds)
    await transaction(call, async (tx) => {
      await queries.lockPeople(tx);
      const count = await forgetIdsOf(tx, keyId);
      const payload = { api_key_id: keyId, count };
      if (count > 0) await recordEvents(tx, [{ type: 'scim.ids_forgotten', ...about, payload }]);
    });
  return { people, groups };
}

/** Runs a step, which returns an event for each thing that it released, until it releases less than a whole piece. Returns how many. */
async function inPieces(call: Call, step: (tx: CallTx) => Promise<NewEvent[]>): Promise<number> {
  let count = 0;
  for (let released = AT_ONCE; released === AT_ONCE; ) {
    released = await transaction(call, async (tx) => {
      await queries.lockPeople(tx);
      const events = await step(tx);
      await recordEvents(tx, events);
      return events.length;
    });
    count += released;
    await giveWay();
  }
  return count;
}

/** Releases people in the caller's transaction, which must hold lockPeople. Returns an event for each who had a client. */
async function releaseIn(tx: CallTx & OrgTx, userIds: readonly string[]): Promise<NewEvent[]> {
  const released = await releaseSources(tx, userIds);
  if (released.length === 0) return [];
  return (await profilesOf(tx, released)).map((person) => ({
    type: 'person.released',
    ...tx.cause,
    subject: { type: 'platform_user', uuid: person.id },
    payload: aboutPerson(person),
  }));
}
