import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { recordEvents } from '../../events/record.ts';
import type { Cause } from '../../identity/cause.ts';
import { identityOf } from '../../identity/person.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { forbidden, invalid } from '../../platform/errors.ts';
import { attemptFactor } from './attempts.ts';
import type { SignInContext } from './context.ts';
import * as queries from './queries/passwords.ts';
import { deleteSessions } from './sessions.ts';
import type { Visit } from './visit.ts';

/** Sets the first password of a new person. */
export async function setFirstPassword(
  tx: Tx,
  orgId: string,
  userId: string,
  password: string,
): Promise<void> {
  await queries.setPassword(tx, orgId, userId, await hashPassword(password));
}

/**
 * Changes the caller's own password and ends their other sessions. Throws 403 if the current password is wrong, which
 * counts as a failed attempt.
 */
export async function changePassword(
  { db }: SignInContext,
  visit: Visit,
  principal: Principal,
  { actor }: Cause,
  { current, wanted }: { current: string; wanted: string },
): Promise<void> {
  const { orgId, userId, sessionId } = principal;
  const { email } = await identityOf(db, principal, userId);
  await attemptFactor(db, visit, { method: 'password', identifier: email }, async () => {
    await requirePassword(db, principal, current);
    const hash = await hashPassword(wanted);
    await transaction(db, async (tx) => {
      await queries.setPassword(tx, orgId, userId, hash);
      await recordEvents(tx, orgId, await deleteSessions(tx, orgId, userId, actor, sessionId));
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
