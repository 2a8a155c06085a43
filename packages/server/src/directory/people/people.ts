import { randomUUIDv7 } from 'node:crypto';
import {
  hookPoint,
  isDuplicate,
  isMissingReference,
  type OrgDb,
  type OrgTx,
  transaction,
} from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type CallTx, requireAllApps, requireReadable, SYSTEM } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { type IfMatch, requireVersion } from '#kit/versions.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { personAttributeOf } from '../../../../protocol/src/person-attributes.ts';
import { draftChange, draftNew, type Person, type ProfileChange, profileVersion } from './person.ts';
import { forgetDeputy } from './queries/absences.ts';
import { type AttributeUse, MOST_VALUES, textAttributes } from './queries/attributes.ts';
import * as queries from './queries/people.ts';
import { aboutPerson, recordPeopleEvents, requireRemainingOwner, runHooks, save } from './save.ts';
import { personRefusals } from './sentences.ts';
import { type IgnoredField, ignoredField, type Left, settleOne, type Wish } from './settle.ts';
import { endFormer, passEmailOn } from './succession.ts';

export { type Person, profileVersion } from './person.ts';
export type { PeopleHook } from './save.ts';

/** Creates the organization's first owner, for whom its first API key acts. */
export async function createFirstAdministrator(tx: OrgTx, email: string): Promise<string> {
  const id = await queries.insertFirstAdministrator(tx, email);
  await recordEvents(tx, [
    {
      type: 'user.created',
      actor: SYSTEM,
      subject: { type: 'platform_user', uuid: id },
      source: { type: 'system', uuid: null },
      payload: { user_id: id, email, username: email, name: '', role: 'owner' },
    },
  ]);
  return id;
}

/** Returns a person's record. Throws 404 for an unknown person, and 403 if a member asks for someone else's. */
export async function personOf(call: Call, id: string): Promise<Person> {
  const person = isUuid(id) ? await queries.findPerson(call, id) : undefined;
  return requireReadable(call.principal, person);
}

/** Throws 404 unless all of `ids` are people of this organization. */
export async function requirePeople(db: OrgDb, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length > 0 && (await queries.countPeople(db, wanted)) < wanted.length) throw notFound('Person');
}

/**
 * Returns the attributes that people have, with the values that a form can suggest. An attribute with several spellings is one, under the
 * most frequent of them.
 */
export async function listAttributes(db: OrgDb): Promise<AttributeUse[]> {
  const used = new Map<string, AttributeUse>();
  for (const { name, values } of await textAttributes(db)) {
    const attribute = personAttributeOf(name) ?? name;
    const before = used.get(attribute);
    used.set(attribute, {
      name: before?.name ?? name,
      values: [...new Set([...(before?.values ?? []), ...values])].slice(0, MOST_VALUES),
    });
  }
  return [...used.values()];
}

/** Lists people. A member's list holds only themselves. */
export function listPeople(call: Call, list: queries.PersonList, page: Page): Promise<Slice<Person>> {
  const only = call.principal.role === 'member' ? call.principal.userId : null;
  return queries.listPeople(call, { ...list, only }, page);
}

/** Creates a person. Throws 409 if the email is taken, compared without case. */
export async function createPerson(
  call: Call,
  { email, ...change }: ProfileChange & { email: string },
): Promise<Person> {
  const id = randomUUIDv7();
  await write(call, async () => ({ draft: draftNew(id, email, change), ends: false }), null);
  return existing(call, id);
}

interface ChangeOptions {
  reason?: string | null;
  ifMatch?: IfMatch;
  /** Whether to change nothing. The same refusals are thrown. */
  dryRun?: boolean;
  /** Fields of the request that are not valid, and the error for them. They are left if the change ends access (D79). */
  unfit?: { left: Left[]; error: Error } | undefined;
}

/**
 * Changes a person, if `ifMatch` names their version. `reason` is recorded if they are deactivated or reactivated. If an active person is
 * deactivated, what else cannot be changed is left, and returned as `ignored`.
 */
export async function changePerson(
  call: Call,
  id: string,
  change: ProfileChange,
  { reason = null, ifMatch = null, dryRun = false, unfit }: ChangeOptions = {},
): Promise<Person & { ignored?: IgnoredField[] }> {
  const wishOf = async (tx: OrgTx) => {
    const before = await existing(tx, id);
    requireVersion(ifMatch, profileVersion(before));
    const ends = before.status === 'active' && change.status === 'deactivated';
    if (unfit !== undefined && !ends) throw unfit.error;
    return { draft: draftChange(before, change), ends };
  };
  const written = await write(call, wishOf, reason, dryRun).catch((error: unknown) => {
    if (error instanceof DryRun) return [];
    throw error;
  });
  const left = [...(unfit?.left ?? []), ...written];
  return { ...(await existing(call, id)), ...(left.length > 0 && { ignored: left.map(ignoredField) }) };
}

/** Ends the transaction of a dry run. */
class DryRun extends Error {}

/** Writes a person. Returns what was left as it was. */
async function write(
  call: Call,
  wishOf: (tx: OrgTx) => Promise<Wish>,
  reason: string | null,
  dryRun = false,
): Promise<Left[]> {
  requireAllApps(call.principal, 'changing people');
  return transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    const { draft, left } = await settleOne(tx, await wishOf(tx), { by: 'caller' });
    const { id, email } = draft.after;
    // Somebody whom a provider deleted keeps the email for display only. It must not block a living person (D63).
    const former = draft.before?.email === email ? undefined : await queries.findDeletedByEmail(tx, email);
    const succeeds =
      former !== undefined && former.id !== id && draft.after.status === 'active' ? former : null;
    if (succeeds !== null) await passEmailOn(tx, succeeds, id);
    const events = await save(tx, call.cause, [draft], reason).catch((error: unknown) => {
      throw isDuplicate(error) ? personRefusals.person_email_taken({ email }) : error;
    });
    const ended = succeeds === null ? [] : await endFormer(tx, succeeds, id);
    await recordPeopleEvents(tx, await runHooks(tx, [...events, ...ended]));
    if (dryRun) throw new DryRun();
    return left;
  });
}

/** Lock what comes before people in the order of locks, for the deletion of a person. */
export const deletionLocks = hookPoint<(tx: OrgTx, userId: string) => Promise<void>>();

/**
 * Deletes a person for good. Throws 409 for the last active owner, for a person whose API keys have not ended (D8), and
 * for a person named by requests, tasks, reviews or policies: deactivating them keeps that history. The hooks find the person
 * locked and deactivated, and run before the row is deleted.
 */
export async function deletePerson(call: Call, userId: string): Promise<void> {
  requireAllApps(call.principal, 'deleting people');
  await transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    await recordPeopleEvents(tx, await removePerson(tx, userId, []));
  }).catch((error: unknown) => {
    throw isMissingReference(error) ? namedElsewhere() : error;
  });
}

/**
 * Deletes a person in the caller's transaction, which must hold lockPeople. Runs the hooks for the deletion and for the
 * transaction's `earlier` changes. Returns all events, which the caller records last. Some references to the person are only
 * found when the transaction commits.
 */
export async function removePerson(
  tx: CallTx,
  userId: string,
  earlier: readonly NewEvent[],
): Promise<readonly NewEvent[]> {
  const person = await lockForDeletion(tx, userId);
  if (person === undefined) throw notFound('Person');
  if (await queries.hasMerged(tx, person.id)) throw personRefusals.person_has_merged_record();
  if (person.role === 'owner') {
    if (tx.principal.role !== 'owner') throw personRefusals.owner_deletes_owner();
    await requireRemainingOwner(tx, [person.id]);
  }
  const reports = await queries.reportsOf(tx, person.id);
  const drafts = reports.map((report) => draftChange(report, { manager: null }));
  const deletion: NewEvent = {
    type: 'user.deleted',
    ...tx.cause,
    subject: { type: 'platform_user', uuid: person.id },
    payload: aboutPerson(person),
  };
  const own = earlier.concat(await save(tx, tx.cause, drafts), deletion);
  await queries.endPerson(tx, person.id);
  await forgetDeputy(tx, person.id);
  const events = await runHooks(tx, own);
  await queries.deletePerson(tx, person.id);
  return events;
}

/** Locks a person who is to be deleted, and what comes before people. Undefined if there is none. */
export async function lockForDeletion(tx: OrgTx, userId: string): Promise<Person | undefined> {
  for (const lock of deletionLocks.of(tx)) await lock(tx, userId);
  return queries.lockPerson(tx, userId);
}

/** The error for a person whose deletion would break the history of requests, tasks, reviews or policies. */
export const namedElsewhere = () => personRefusals.person_is_named();

async function existing(db: OrgDb, id: string): Promise<Person> {
  const person = await queries.findPerson(db, id);
  if (person === undefined) throw notFound('Person');
  return person;
}
