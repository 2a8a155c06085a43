import { isDuplicate, isMissingReference, type OrgTx, transaction } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import type { Call, CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { PersonSource } from './facts.ts';
import { leaveGroups } from './groups.ts';
import { lockForDeletion, removePerson } from './people.ts';
import type { Draft, Profile } from './person.ts';
import * as queries from './queries/people.ts';
import { forgetRelease, upsertSource } from './queries/sources.ts';
import { aboutPerson, forgetSignInOf, recordPeopleEvents, runHooks, save } from './save.ts';
import { personRefusals } from './sentences.ts';
import { type Left, settleOne } from './settle.ts';
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
  /** The person comes back under another id of the provider. They lose every way to sign in (D63). */
  returnsAs?: { from: string; to: string };
  /** Whether it ends the person's access, so that nothing else in it can veto it (D79). */
  ends?: boolean;
  /** Whether the person was released, and comes with the id that was kept. */
  wasReleased?: boolean;
  /** The fields that the provider owned before. */
  ownedBefore?: readonly string[];
}

/** Notes the fields of a person that were left as they were, in the transaction of the write. Returns its events. */
export type NoteLeft = (tx: CallTx, person: Profile, left: Left[]) => Promise<NewEvent[]>;

/**
 * Writes a person for an identity provider (D50). `decide` runs while no other change of people can, and its result is
 * written under the rules for API keys. A person whom the provider deleted leaves all groups. Returns the person's id.
 */
export async function writeFromDirectory(
  call: Call,
  decide: (tx: OrgTx) => Promise<DirectoryWrite>,
  note: NoteLeft = async () => [],
): Promise<string> {
  return transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    const write = await decide(tx);
    const { events, person, left } = await apply(tx, write);
    const all = await runHooks(tx, events);
    await recordPeopleEvents(tx, all.concat(await note(tx, person, left)));
    return person.id;
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
      const { events } = await apply(tx, write);
      await recordPeopleEvents(tx, await removePerson(tx, id, events));
    });
  } catch (error) {
    const isKept = isMissingReference(error) || (error instanceof DomainError && error.code === 'conflict');
    if (!isKept) throw error;
    await writeFromDirectory(call, decide);
  }
}

/** Writes a person and what the provider keeps of them. Returns the events, and the fields that were left as they were. */
async function apply(
  tx: CallTx,
  write: DirectoryWrite,
): Promise<{ events: NewEvent[]; person: Profile; left: Left[] }> {
  const { source, reason, succeeds, returnsByEmail, returnsAs, ends = false } = write;
  const { id } = write.draft.after;
  if (succeeds !== undefined) await passEmailOn(tx, succeeds, id);
  if (write.draft.before?.succeeded_by != null) await queries.setSucceeded(tx, id, null);
  const { draft, left } = await settleOne(
    tx,
    { draft: write.draft, ends },
    { by: 'directory', leaves: 'manager' },
  );
  const events = await save(tx, tx.cause, [draft], reason).catch((error: unknown) => {
    throw isDuplicate(error) ? personRefusals.person_email_taken({ email: draft.after.email }) : error;
  });
  // A field that was left is not the provider's.
  const isOwned = (field: string) =>
    write.ownedBefore?.includes(field) || !left.some(({ attribute }) => attribute === field);
  await upsertSource(tx, id, { ...source, owned: source.owned.filter(isOwned) }, tx.principal.keyId);
  if (write.wasReleased) await forgetRelease(tx, id);
  if (succeeds !== undefined) events.push(...(await endFormer(tx, succeeds, id)));
  if (returnsByEmail || returnsAs !== undefined) events.push(...(await forgetSignInOf(tx, draft.after)));
  if (returnsAs !== undefined)
    events.push({
      type: 'person.external_id_changed',
      ...tx.cause,
      subject: { type: 'platform_user', uuid: id },
      payload: { ...aboutPerson(draft.after), ...returnsAs },
    });
  if (source.deleted) events.push(...(await leaveGroups(tx, tx.cause, id)));
  return { events, person: draft.after, left };
}
