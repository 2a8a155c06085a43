import { randomUUIDv7 } from 'node:crypto';
import { recordEvents } from '../events/record.ts';
import { sourceOf } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import { requireAllApps } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isDuplicate, isMissingReference } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import {
  contradictionIn,
  type Draft,
  draftChange,
  draftNew,
  type Person,
  type ProfileChange,
} from './person.ts';
import * as queries from './queries.ts';
import {
  aboutPerson,
  type Caller,
  type PeopleHook,
  refusalsOf,
  refuseLosingOwners,
  save,
  tell,
} from './save.ts';

export type { Person } from './person.ts';
export { PERSON_SORTS } from './queries.ts';
export type { PeopleHook } from './save.ts';

/** The person whom the first key acts for (D8): an owner. */
export async function createFirstAdministrator(tx: Tx, orgId: string, email: string): Promise<string> {
  const id = await queries.insertFirstAdministrator(tx, orgId, email);
  const system = { type: 'system' as const, uuid: null };
  await recordEvents(tx, orgId, [
    {
      type: 'user.created',
      actor: system,
      subject: { type: 'platform_user', uuid: id },
      source: system,
      payload: { user_id: id, email, username: email, name: '', role: 'owner' },
    },
  ]);
  return id;
}

/** 404 for somebody who is not in the organization; 403 for a member who asks for anybody else (Roles). */
export async function personOf(db: Db, principal: Principal, id: string): Promise<Person> {
  const person = isUuid(id) ? await queries.findPerson(db, principal.orgId, id) : undefined;
  if (person === undefined) throw notFound('User');
  if (principal.role === 'member' && person.id !== principal.userId)
    throw forbidden('A member may read their own record only.');
  return person;
}

/** 404 where one of `ids` is nobody of this organization. */
export async function requirePeople(db: Db, orgId: string, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length > 0 && (await queries.countPeople(db, orgId, wanted)) < wanted.length)
    throw notFound('User');
}

/** A member's list holds themselves only (Roles). */
export function listPeople(
  db: Db,
  { orgId, role, userId }: Principal,
  filter: Omit<queries.PersonFilter, 'only'>,
  page: Page,
): Promise<Slice<Person>> {
  return queries.listPeople(db, orgId, { ...filter, only: role === 'member' ? userId : null }, page);
}

/** 409 where somebody has the email already, compared without case. */
export async function createPerson(
  db: Db,
  caller: Caller,
  hooks: readonly PeopleHook[],
  { email, ...change }: ProfileChange & { email: string },
): Promise<Person> {
  const id = randomUUIDv7();
  await write(db, caller, hooks, async () => draftNew(id, email, change), null);
  return existing(db, caller.principal.orgId, id);
}

export async function changePerson(
  db: Db,
  caller: Caller,
  hooks: readonly PeopleHook[],
  id: string,
  change: ProfileChange,
  reason: string | null = null,
): Promise<Person> {
  const { orgId } = caller.principal;
  await write(db, caller, hooks, async (tx) => draftChange(await existing(tx, orgId, id), change), reason);
  return existing(db, orgId, id);
}

async function write(
  db: Db,
  caller: Caller,
  hooks: readonly PeopleHook[],
  draftOf: (tx: Tx) => Promise<Draft>,
  reason: string | null,
): Promise<void> {
  const { principal } = caller;
  requireAllApps(principal, 'changing people');
  await transaction(db, async (tx) => {
    await queries.lockPeople(tx, principal.orgId);
    const draft = await draftOf(tx);
    const contradiction = contradictionIn(draft.after);
    if (contradiction !== undefined) throw invalid(contradiction);
    const [refusal] = (await refusalsOf(tx, principal, [draft])).values();
    if (refusal !== undefined) throw refusal;
    const events = await save(tx, caller, [draft], reason).catch((error: unknown) => {
      throw isDuplicate(error) ? conflict(`Somebody has the email ${draft.after.email} already.`) : error;
    });
    await tell(tx, principal.orgId, events, hooks);
  });
}

/**
 * Removes a person for good; deactivating keeps what they did and were asked together with them. 409 for the last
 * owner, for somebody whose keys are still live (D8), and for somebody whom tickets, tasks or reviews name.
 */
export async function deletePerson(
  db: Db,
  caller: Caller,
  hooks: readonly PeopleHook[],
  userId: string,
): Promise<void> {
  const { principal, actor } = caller;
  const { orgId } = principal;
  requireAllApps(principal, 'deleting people');
  await transaction(db, async (tx) => {
    await queries.lockPeople(tx, orgId);
    const person = await existing(tx, orgId, userId);
    const { id } = person;
    if (person.role === 'owner') {
      if (principal.role !== 'owner') throw forbidden('Only an owner may delete an owner.');
      await refuseLosingOwners(tx, orgId, [id]);
    }
    const keys = await queries.liveKeysOf(tx, orgId, id);
    if (keys.length > 0) {
      throw conflict(
        `API keys act for this person: ${keys.join(', ')}. Revoke them first, or deactivate the person.`,
      );
    }
    const reports = await queries.reportsOf(tx, orgId, id);
    const events = await save(
      tx,
      caller,
      reports.map((report) => draftChange(report, { manager: null })),
    );
    await queries.deletePerson(tx, orgId, id);
    events.push({
      type: 'user.deleted',
      actor,
      subject: { type: 'platform_user', uuid: id },
      source: sourceOf(principal),
      payload: aboutPerson(person),
    });
    await tell(tx, orgId, events, hooks);
  }).catch((error: unknown) => {
    throw isMissingReference(error)
      ? conflict('Tickets, tasks, reviews or policies name this person. Deactivate them instead.')
      : error;
  });
}

async function existing(db: Db, orgId: string, id: string): Promise<Person> {
  const person = await queries.findPerson(db, orgId, id);
  if (person === undefined) throw notFound('User');
  return person;
}
