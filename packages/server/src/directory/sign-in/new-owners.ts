import type { OrgTx } from '#kit/database.ts';
import { findIdentity, type RequestCause } from '#kit/identity.ts';
import { linkBehindPassword } from '#log/events/facts.ts';
import type { NewEvent } from '#log/events/record.ts';
import { deleteLinks } from './credentials/queries/passwords.ts';
import { forgetSignIn } from './forget.ts';
import { deleteSessions } from './sessions/sessions.ts';

/**
 * A people hook: deletes the sign-in links of new owners and ends their sessions, since an administrator may have created
 * the link or be signed in with it. If somebody who is not an owner created the link with which the password was set, that person
 * may know it: every way to sign in is removed.
 */
export async function resetSignInOfNewOwners(tx: OrgTx, events: readonly NewEvent[]): Promise<NewEvent[]> {
  const ended: NewEvent[] = [];
  for (const event of events) {
    if (event.type !== 'role.changed' || event.payload.to !== 'owner') continue;
    const { user_id: id, email } = event.payload;
    const { actor, source } = event;
    await deleteLinks(tx, [id]);
    if (await othersMayKnowPassword(tx, id))
      ended.push(
        ...(await forgetSignIn(
          { ...tx, cause: { actor, source: source as RequestCause['source'] } },
          { id, email },
        )),
      );
    for (const one of await deleteSessions(tx, id, actor)) ended.push(one);
  }
  return ended;
}

async function othersMayKnowPassword(tx: OrgTx, personId: string): Promise<boolean> {
  const creator = await linkBehindPassword(tx, personId);
  if (creator === null || creator === personId) return false;
  return (await findIdentity(tx, creator))?.role !== 'owner';
}
