import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isDuplicate } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import { leaveGroups } from './groups.ts';
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
    const { draft, source, reason } = await decide(tx);
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
    await runHooks(tx, orgId, events, hooks);
    await recordPeopleEvents(tx, orgId, events);
    return id;
  });
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
