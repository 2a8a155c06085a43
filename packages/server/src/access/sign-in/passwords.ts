import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { recordEvents } from '../../events/record.ts';
import type { RequestCause } from '../../identity/cause.ts';
import { findIdentity, identityOf, type PersonIdentity } from '../../identity/person.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { forbidden, invalid } from '../../platform/errors.ts';
import { attemptFactor } from './attempts.ts';
import type { SignInContext } from './context.ts';
import { requireFreshSignIn } from './freshness.ts';
import { requireStrongPassword } from './password-policy.ts';
import { findOrganizationById } from './queries/organizations.ts';
import * as queries from './queries/passwords.ts';
import { deleteSessions } from './sessions.ts';
import { passwordChanged } from './sign-in-change.ts';
import type { Visit } from './visit.ts';

/** Sets the first password of a new organization's administrator. Throws 400 for a weak one. */
export async function setFirstPassword(
  tx: Tx,
  orgId: string,
  userId: string,
  password: string,
): Promise<void> {
  const person = (await findIdentity(tx, orgId, userId)) as PersonIdentity;
  await requireStrongPassword(password, person, await findOrganizationById(tx, orgId));
  await queries.setPassword(tx, orgId, userId, await hashPassword(password));
}

/**
 * Changes the caller's own password, ends their other sessions and deletes their sign-in links. Throws 403 if they have not signed in recently, or if
 * the current password is wrong, which counts as a failed attempt.
 */
export async function changePassword(
  { db }: SignInContext,
  visit: Visit,
  principal: Principal,
  cause: RequestCause,
  { current, wanted }: { current: string; wanted: string },
): Promise<void> {
  const { orgId, userId, sessionId } = principal;
  await requireFreshSignIn(db, principal);
  const person = await identityOf(db, principal, userId);
  await attemptFactor(db, visit, { method: 'password', identifier: person.email }, async () => {
    await requirePassword(db, principal, current);
    await requireStrongPassword(wanted, person, visit.organization);
    const hash = await hashPassword(wanted);
    await transaction(db, async (tx) => {
      await queries.setPassword(tx, orgId, userId, hash);
      await queries.deleteLinks(tx, orgId, [userId]);
      const ended = await deleteSessions(tx, orgId, userId, cause.actor, sessionId);
      await recordEvents(tx, orgId, [passwordChanged(cause, person, 'self'), ...ended]);
    });
  });
}

/** Throws 403 unless this is the caller's password. */
export async function requirePassword(db: Db, { orgId, userId }: Principal, password: string): Promise<void> {
  const stored = await queries.findPassword(db, orgId, userId);
  if (stored === undefined)
    throw invalid('You have no password. Ask an administrator for a link to set one.');
  if (!(await verifyPassword({ hash: stored, password })))
    throw forbidden('The current password is incorrect.');
}
