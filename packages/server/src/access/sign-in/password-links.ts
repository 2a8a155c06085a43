import { createHash, randomBytes } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { recordEvents } from '../../events/record.ts';
import type { Actor, Cause } from '../../identity/cause.ts';
import { identityOf } from '../../identity/person.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { DomainError, invalid } from '../../platform/errors.ts';
import { attemptFactor } from './attempts.ts';
import type { SignInContext } from './context.ts';
import { requireMayManageSignIn } from './permission.ts';
import * as queries from './queries/passwords.ts';
import { deleteSessions } from './sessions.ts';
import { signInChanged } from './sign-in-change.ts';
import type { Visit } from './visit.ts';

const LINK_HOURS = 72;

export interface PasswordLink {
  token: string;
  expires_at: Date;
}

/**
 * Creates a one-time link with which a person sets their password, for an administrator to pass on. It replaces the
 * person's earlier links. The log records that it was created; only the response has its secret.
 */
export async function createPasswordLink(
  db: Db,
  principal: Principal,
  cause: Cause,
  userId: string,
): Promise<PasswordLink> {
  const person = await identityOf(db, principal, userId);
  requireMayManageSignIn(principal, person);
  if (person.status !== 'active')
    throw invalid('This person is deactivated and cannot sign in. Reactivate them first.');
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(Date.now() + LINK_HOURS * 3_600_000);
  await transaction(db, async (tx) => {
    await queries.replaceLink(tx, principal.orgId, person.id, identifierOf(token), expires_at);
    const change = { field: 'sign_in_link', from: null, to: expires_at.toISOString() };
    await recordEvents(tx, principal.orgId, [signInChanged(cause, person, change)]);
  });
  return { token, expires_at };
}

/** Sets the password of the link's person and ends their sessions. Throws 401 for an invalid link. */
export async function setPasswordWithLink(
  { db }: SignInContext,
  visit: Visit,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const orgId = visit.organization.id;
  return attemptFactor(db, visit, { method: 'link', identifier: null }, async () => {
    const hash = await hashPassword(password);
    return transaction(db, async (tx) => {
      const person = await queries.consumeLink(tx, orgId, identifierOf(token));
      if (person === undefined) {
        throw new DomainError(
          'unauthenticated',
          'This link is invalid, was already used, or has expired. Ask an administrator for a new one.',
        );
      }
      await queries.setPassword(tx, orgId, person.id, hash);
      const actor: Actor = { type: 'user', uuid: person.id, ip: visit.ip, user_agent: visit.userAgent };
      await recordEvents(tx, orgId, await deleteSessions(tx, orgId, person.id, actor));
      return { email: person.email };
    });
  });
}

const identifierOf = (token: string) => `link:${createHash('sha256').update(token).digest('hex')}`;
