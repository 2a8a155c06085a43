import { type NewEvent, recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isDuplicate, isMissingReference } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, DomainError, invalid, notFound } from '../platform/errors.ts';
import { leaveGroups } from './groups.ts';
import { removePerson } from './people.ts';
import { contradictionIn, type Draft, excessIn } from './person.ts';
import * as queries from './queries.ts';
import { aboutPerson, type PeopleHook, recordPeopleEvents, refusalsOf, runHooks, save } from './save.ts';
import { deleteSource, type PersonSource, upsertSource } from './source-queries.ts';

export { findSource, type PersonSource } from './source-queries.ts';

/** A change that an identity provider makes: the person, and what the provider keeps of them. */
export interface DirectoryWrite {
  draft: Draft;
  source: PersonSource;
  reason: string | null;
}

/**
 * Writes a person for an identity provider (D50). `decide` runs while no other change of people can, and its result is
 * written under the rules for API keys. A person whom the provider deleted leaves all groups. Returns the person's id.
 */
export async function writeFromDirectory(
  db: Db,
  principal: Principal,
  cause: RequestCause,
  hooks: readonly PeopleHook[],
  decide: (tx: Tx) => Promise<DirectoryWrite>,
): Promise<string> {
  const { orgId } = principal;
  return transaction(db, async (tx) => {
    await queries.lockPeople(tx, orgId);
    const write = await decide(tx);
    const events = await apply(tx, principal, cause, write);
    await runHooks(tx, orgId, events, hooks);
    await recordPeopleEvents(tx, orgId, events);
    return write.draft.after.id;
  });
}

/**
 * Writes a person whom an identity provider deletes, and deletes them for good in the same transaction, so that a
 * client that repeats an interrupted deletion completes it. A person whom history names is only written: the transaction
 * that fails to delete them rolls back, and another one writes them.
 */
export async function deleteFromDirectory(
  db: Db,
  principal: Principal,
  cause: RequestCause,
  hooks: readonly PeopleHook[],
  decide: (tx: Tx) => Promise<DirectoryWrite>,
): Promise<void> {
  const { orgId } = principal;
  try {
    await transaction(db, async (tx) => {
      await queries.lockPeople(tx, orgId);
      const write = await decide(tx);
      const { id } = write.draft.after;
      // Takes the lock of the deletion first: raising the weaker lock of the write to it could end in a deadlock.
      await queries.lockPerson(tx, orgId, id);
      const events = await apply(tx, principal, cause, write);
      await removePerson(tx, principal, cause, hooks, id, events);
      await recordPeopleEvents(tx, orgId, events);
    });
  } catch (error) {
    const isKept = isMissingReference(error) || (error instanceof DomainError && error.code === 'conflict');
    if (!isKept) throw error;
    await writeFromDirectory(db, principal, cause, hooks, decide);
  }
}

/** Writes a person and what the provider keeps of them. Returns the events. */
async function apply(
  tx: Tx,
  principal: Principal,
  cause: RequestCause,
  { draft, source, reason }: DirectoryWrite,
): Promise<NewEvent[]> {
  const { orgId } = principal;
  const { id, email } = draft.after;
  const contradiction = contradictionIn(draft.after) ?? excessIn(draft);
  if (contradiction !== undefined) throw invalid(contradiction);
  const refusal = (await refusalsOf(tx, principal, [draft], 'directory')).get(id);
  if (refusal !== undefined) throw refusal;
  const events = await save(tx, orgId, cause, [draft], reason).catch((error: unknown) => {
    throw isDuplicate(error) ? conflict(`A person with the email ${email} already exists.`) : error;
  });
  await upsertSource(tx, orgId, id, source);
  if (source.deleted) events.push(...(await leaveGroups(tx, orgId, cause, id)));
  return events;
}

/**
 * Makes all fields of a person editable again, for a provider that was abandoned. The provider owns again what it writes
 * later. Throws 409 if no provider owns anything of them.
 */
export async function releasePerson(
  db: Db,
  { orgId }: Principal,
  cause: RequestCause,
  userId: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    await queries.lockPeople(tx, orgId);
    const person = await queries.findPerson(tx, orgId, userId);
    if (person === undefined) throw notFound('User');
    if (!(await deleteSource(tx, orgId, userId))) throw conflict('No identity provider manages this person.');
    await recordEvents(tx, orgId, [
      {
        type: 'person.released',
        ...cause,
        subject: { type: 'platform_user', uuid: userId },
        payload: aboutPerson(person),
      },
    ]);
  });
}
