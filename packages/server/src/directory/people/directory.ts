import type { OrgTx } from '../../kit/database/organization.ts';
import { isDuplicate, isMissingReference } from '../../kit/database/sqlstate.ts';
import { transaction } from '../../kit/database/transaction.ts';
import { conflict, DomainError, invalid, notFound, taken } from '../../kit/errors.ts';
import type { Call, CallTx } from '../../kit/identity/call.ts';
import { type NewEvent, recordEvents } from '../../log/events/record.ts';
import type { PersonSource } from './facts.ts';
import { leaveGroups } from './groups.ts';
import { lockForDeletion, removePerson } from './people.ts';
import { contradictionIn, type Draft, excessIn, type Profile } from './person.ts';
import * as queries from './queries/people.ts';
import { deleteSource, upsertSource } from './queries/sources.ts';
import { aboutPerson, forgetSignInOf, recordPeopleEvents, refusalsOf, runHooks, save } from './save.ts';
import { endFormer, passEmailOn } from './succession.ts';

/** A change that an identity provider makes: the person, and what the provider keeps of them. */
export interface DirectoryWrite {
  draft: Draft;
  source: PersonSource;
  reason: string | null;
  /** The former person whose email passes to this one (D63). They lose every way to sign in, which may name them by the email. */
  succeeds?: Profile;
  /** The person comes back by their email, which may have passed to somebody else. */
  returnsByEmail?: boolean;
}

/**
 * Writes a person for an identity provider (D50). `decide` runs while no other change of people can, and its result is
 * written under the rules for API keys. A person whom the provider deleted leaves all groups. Returns the person's id.
 */
export async function writeFromDirectory(
  call: Call,
  decide: (tx: OrgTx) => Promise<DirectoryWrite>,
): Promise<string> {
  return transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    const write = await decide(tx);
    const events = await apply(tx, write);
    await recordPeopleEvents(tx, await runHooks(tx, events));
    return write.draft.after.id;
  });
}

/**
 * Writes a person whom an identity provider deletes, and deletes them for good in the same transaction, so that a
 * client that repeats an interrupted deletion completes it. A person whom history names is only written: the transaction
 * that fails to delete them rolls back, and another one writes them.
 */
export async function deleteFromDirectory(
  call: Call,
  decide: (tx: OrgTx) => Promise<DirectoryWrite>,
): Promise<void> {
  try {
    await transaction(call, async (tx) => {
      await queries.lockPeople(tx);
      const write = await decide(tx);
      const { id } = write.draft.after;
      // Takes the lock of the deletion first: raising the weaker lock of the write to it could end in a deadlock.
      await lockForDeletion(tx, id);
      await recordPeopleEvents(tx, await removePerson(tx, id, await apply(tx, write)));
    });
  } catch (error) {
    const isKept = isMissingReference(error) || (error instanceof DomainError && error.code === 'conflict');
    if (!isKept) throw error;
    await writeFromDirectory(call, decide);
  }
}

/** Writes a person and what the provider keeps of them. Returns the events. */
async function apply(tx: CallTx, write: DirectoryWrite): Promise<NewEvent[]> {
  const { draft, source, reason, succeeds, returnsByEmail } = write;
  const { id, email } = draft.after;
  const contradiction = contradictionIn(draft.after) ?? excessIn(draft);
  if (contradiction !== undefined) throw invalid(contradiction);
  if (succeeds !== undefined) await passEmailOn(tx, succeeds, id);
  if (draft.before?.succeeded_by != null) await queries.setSucceeded(tx, id, null);
  const refusal = (await refusalsOf(tx, [draft], 'directory')).get(id);
  if (refusal !== undefined) throw refusal;
  const events = await save(tx, tx.cause, [draft], reason).catch((error: unknown) => {
    throw isDuplicate(error) ? taken(`A person with the email ${email} already exists.`) : error;
  });
  await upsertSource(tx, id, source);
  if (succeeds !== undefined) events.push(...(await endFormer(tx, succeeds, id)));
  if (returnsByEmail) events.push(...(await forgetSignInOf(tx, draft.after)));
  if (source.deleted) events.push(...(await leaveGroups(tx, tx.cause, id)));
  return events;
}

/**
 * Makes all fields of a person editable again, for a provider that was abandoned. The provider owns again what it writes
 * later. Throws 409 if no provider owns anything of them.
 */
export async function releasePerson(call: Call, userId: string): Promise<void> {
  await transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    const person = await queries.findPerson(tx, userId);
    if (person === undefined) throw notFound('Person');
    if (!(await deleteSource(tx, userId))) throw conflict('No identity provider manages this person.');
    await recordEvents(tx, [
      {
        type: 'person.released',
        ...call.cause,
        subject: { type: 'platform_user', uuid: userId },
        payload: aboutPerson(person),
      },
    ]);
  });
}
