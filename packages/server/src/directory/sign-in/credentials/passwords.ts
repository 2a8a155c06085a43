import { type OrgTx, transaction } from '#kit/database.ts';
import { type Call, findIdentity, identityOf, type PersonIdentity } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { hashPassword, verifyPassword } from '../auth/password-hash.ts';
import { requireStrongPassword } from '../auth/password-policy.ts';
import { signInRefusals } from '../sentences.ts';
import { deleteSessions } from '../sessions/sessions.ts';
import { attemptFactor } from '../visit/attempts.ts';
import { findOrganizationById } from '../visit/queries/organizations.ts';
import type { Visit } from '../visit/visit.ts';
import * as queries from './queries/passwords.ts';
import { passwordChanged } from './sign-in-change.ts';

/** Sets the first password of a new organization's administrator. Throws 400 for a weak one. */
export async function setFirstPassword(tx: OrgTx, userId: string, password: string): Promise<void> {
  const person = (await findIdentity(tx, userId)) as PersonIdentity;
  await requireStrongPassword(password, person, await findOrganizationById(tx));
  await queries.setPassword(tx, userId, await hashPassword(password));
}

/**
 * Changes the caller's own password, ends their other sessions and deletes their sign-in links. Throws 403 if they have not signed in recently, or if
 * the current password is wrong, which counts as a failed attempt.
 */
export async function changePassword(
  visit: Visit,
  call: Call,
  { current, wanted }: { current: string; wanted: string },
): Promise<void> {
  const { userId, sessionId } = call.principal;
  const person = await identityOf(call, userId);
  await attemptFactor(call.db, visit, { method: 'password', identifier: person.email }, async () => {
    await requirePassword(call, current);
    await requireStrongPassword(wanted, person, visit.organization);
    const hash = await hashPassword(wanted);
    await transaction(call, async (tx) => {
      await queries.setPassword(tx, userId, hash);
      await queries.deleteLinks(tx, [userId]);
      const ended = await deleteSessions(tx, userId, call.cause.actor, sessionId);
      await recordEvents(tx, [passwordChanged(call.cause, person, 'self'), ...ended]);
    });
  });
}

/** Throws 403 unless this is the caller's password. */
export async function requirePassword(call: Call, password: string): Promise<void> {
  const stored = await queries.findPassword(call, call.principal.userId);
  if (stored === undefined) throw signInRefusals.no_password();
  if (!(await verifyPassword(stored, password))) throw signInRefusals.current_password_incorrect();
}
