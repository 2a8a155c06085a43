import { randomUUIDv7 } from 'node:crypto';
import { type NewEvent, recordEvents } from '../events/record.ts';
import { type Cause, SYSTEM } from '../identity/cause.ts';
import { requireReadable } from '../identity/person.ts';
import { type Principal, requireAllApps } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isDuplicate, isMissingReference } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { deleteAbsencesOf } from './absence-queries.ts';
import { deleteDismissalsOf } from './dismissal-queries.ts';
import {
  contradictionIn,
  type Draft,
  draftChange,
  draftNew,
  excessIn,
  type Person,
  type ProfileChange,
} from './person.ts';
import * as queries from './queries.ts';
import {
  aboutPerson,
  type PeopleHook,
  recordPeopleEvents,
  refusalsOf,
  requireRemainingOwner,
  runHooks,
  save,
} from './save.ts';

export type { Person } from './person.ts';
export type { PeopleHook } from './save.ts';

/** Creates the organization's first owner, for whom its first API key acts. */
export async function createFirstAdministrator(tx: Tx, orgId: string, email: string): Promise<string> {
  const id = await queries.insertFirstAdministrator(tx, orgId, email);
  await recordEvents(tx, orgId, [
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
export async function personOf(db: Db, principal: Principal, id: string): Promise<Person> {
  const person = isUuid(id) ? await queries.findPerson(db, principal.orgId, id) : undefined;
  return requireReadable(principal, person);
}

/** Throws 404 unless all of `ids` are people of this organization. */
export async function requirePeople(db: Db, orgId: string, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length > 0 && (await queries.countPeople(db, orgId, wanted)) < wanted.length)
    throw notFound('User');
}

/** Lists people. A member's list holds only themselves. */
export function listPeople(
  db: Db,
  { orgId, role, userId }: Principal,
  filter: Omit<queries.PersonFilter, 'only'>,
  page: Page,
): Promise<Slice<Person>> {
  return queries.listPeople(db, orgId, { ...filter, only: role === 'member' ? userId : null }, page);
}

/** Creates a person. Throws 409 if the email is taken, compared without case. */
export async function createPerson(
  db: Db,
  principal: Principal,
  cause: Cause,
  hooks: readonly PeopleHook[],
  { email, ...change }: ProfileChange & { email: string },
): Promise<Person> {
  const id = randomUUIDv7();
  await write(db, principal, cause, hooks, async () => draftNew(id, email, change), null);
  return existing(db, principal.orgId, id);
}

/** Changes a person. `reason` is recorded if they are deactivated or reactivated. */
export async function changePerson(
  db: Db,
  principal: Principal,
  cause: Cause,
  hooks: readonly PeopleHook[],
  id: string,
  change: ProfileChange,
  reason: string | null = null,
): Promise<Person> {
  const { orgId } = principal;
  const draftOf = async (tx: Tx) => draftChange(await existing(tx, orgId, id), change);
  await write(db, principal, cause, hooks, draftOf, reason);
  return existing(db, orgId, id);
}

async function write(
  db: Db,
  principal: Principal,
  cause: Cause,
  hooks: readonly PeopleHook[],
  draftOf: (tx: Tx) => Promise<Draft>,
  reason: string | null,
): Promise<void> {
  const { orgId } = principal;
  requireAllApps(principal, 'changing people');
  await transaction(db, async (tx) => {
    await queries.lockPeople(tx, orgId);
    const draft = await draftOf(tx);
    const contradiction = contradictionIn(draft.after) ?? excessIn(draft);
    if (contradiction !== undefined) throw invalid(contradiction);
    const [refusal] = (await refusalsOf(tx, principal, [draft])).values();
    if (refusal !== undefined) throw refusal;
    const events = await save(tx, orgId, cause, [draft], reason).catch((error: unknown) => {
      throw isDuplicate(error)
        ? conflict(`A person with the email ${draft.after.email} already exists.`)
        : error;
    });
    await runHooks(tx, orgId, events, hooks);
    await recordPeopleEvents(tx, orgId, events);
  });
}

/**
 * Deletes a person for good. Throws 409 for the last active owner, for a person whose API keys have not ended (D8), and
 * for a person named by requests, tasks, reviews or policies: deactivating them keeps that history. The hooks find the person
 * locked and deactivated, and run before the row is deleted.
 */
export async function deletePerson(
  db: Db,
  principal: Principal,
  cause: Cause,
  hooks: readonly PeopleHook[],
  userId: string,
): Promise<void> {
  const { orgId } = principal;
  requireAllApps(principal, 'deleting people');
  await transaction(db, async (tx) => {
    await queries.lockPeople(tx, orgId);
    const events: NewEvent[] = [];
    await removePerson(tx, principal, cause, hooks, userId, events);
    await recordPeopleEvents(tx, orgId, events);
  }).catch((error: unknown) => {
    throw isMissingReference(error) ? namedElsewhere() : error;
  });
}

/**
 * Deletes a person in the caller's transaction, which must hold lockPeople and record `events` last. Adds the events of
 * the deletion to those of the transaction's earlier changes, and runs the hooks for all of them. Some references to
 * the person are only found when the transaction commits.
 */
export async function removePerson(
  tx: Tx,
  principal: Principal,
  cause: Cause,
  hooks: readonly PeopleHook[],
  userId: string,
  events: NewEvent[],
): Promise<void> {
  const { orgId } = principal;
  const person = await queries.lockPerson(tx, orgId, userId);
  if (person === undefined) throw notFound('User');
  if (await queries.hasMerged(tx, orgId, person.id))
    throw conflict('Another person was merged into this person. Deactivate them instead.');
  if (person.role === 'owner') {
    if (principal.role !== 'owner') throw forbidden('Only an owner can delete an owner.');
    await requireRemainingOwner(tx, orgId, [person.id]);
  }
  const reports = await queries.reportsOf(tx, orgId, person.id);
  const drafts = reports.map((report) => draftChange(report, { manager: null }));
  for (const event of await save(tx, orgId, cause, drafts)) events.push(event);
  events.push({
    type: 'user.deleted',
    ...cause,
    subject: { type: 'platform_user', uuid: person.id },
    payload: aboutPerson(person),
  });
  await queries.endPerson(tx, orgId, person.id);
  await runHooks(tx, orgId, events, hooks);
  await deleteAbsencesOf(tx, orgId, person.id);
  await deleteDismissalsOf(tx, orgId, person.id);
  await queries.deletePerson(tx, orgId, person.id);
}

/** The error for a person whose deletion would break the history of requests, tasks, reviews or policies. */
export const namedElsewhere = () =>
  conflict('API keys, requests, tasks, reviews or policies name this person. Deactivate them instead.');

async function existing(db: Db, orgId: string, id: string): Promise<Person> {
  const person = await queries.findPerson(db, orgId, id);
  if (person === undefined) throw notFound('User');
  return person;
}
