import { createHash, randomBytes } from 'node:crypto';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { type NewEvent, recordEvents } from '../../events/record.ts';
import type { Actor } from '../../identity/cause.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { DomainError, forbidden, invalid } from '../../platform/errors.ts';
import * as queries from './queries.ts';
import { endAll } from './sessions.ts';

const LINK_HOURS = 72;

/** The first password of a person who is being made. */
export async function givePassword(tx: Tx, orgId: string, userId: string, password: string): Promise<void> {
  await queries.setPassword(tx, orgId, userId, await hashPassword(password));
}

/**
 * Replaces the person's own password, and ends their other sessions. Throws `forbidden` where the present one is
 * wrong.
 */
export async function changePassword(
  db: Db,
  principal: Principal,
  actor: Actor,
  current: string,
  wanted: string,
): Promise<void> {
  const { orgId, userId, sessionId } = principal;
  await requirePassword(db, principal, current);
  const hash = await hashPassword(wanted);
  await transaction(db, async (tx) => {
    await queries.setPassword(tx, orgId, userId, hash);
    await recordEvents(tx, orgId, await endAll(tx, orgId, userId, actor, sessionId));
  });
}

/** Throws `forbidden` where this is not the person's password. */
export async function requirePassword(db: Db, { orgId, userId }: Principal, password: string): Promise<void> {
  const stored = await queries.findPassword(db, orgId, userId);
  if (stored === undefined)
    throw invalid('You have no password. An administrator can give you a link to set one.');
  if (!(await verifyPassword({ hash: stored, password }))) throw forbidden('The present password is wrong.');
}

export interface Link {
  token: string;
  expires_at: Date;
}

interface Holder {
  id: string;
  email: string;
  role: string;
  status: string;
}

/**
 * A one-time link with which a person sets a password, for an administrator to pass on. The last one replaces those
 * before it. What was done is in the log (user.updated); the secret is in the answer only.
 */
export async function makeLink(db: Db, principal: Principal, actor: Actor, person: Holder): Promise<Link> {
  requireMayHandle(principal, person);
  if (person.status !== 'active')
    throw invalid('A deactivated person cannot sign in. Reactivate them first.');
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(Date.now() + LINK_HOURS * 3_600_000);
  await transaction(db, async (tx) => {
    await queries.insertLink(tx, principal.orgId, person.id, identifierOf(token), expires_at);
    const change = { field: 'sign_in_link', from: null, to: expires_at.toISOString() };
    await recordEvents(tx, principal.orgId, [changed(principal, actor, person, change)]);
  });
  return { token, expires_at };
}

/** Sets the password of whoever holds the link, and ends their sessions. Throws `unauthenticated` for a bad link. */
export async function useLink(
  db: Db,
  orgId: string,
  token: string,
  password: string,
  visitor: { ip: string; userAgent: string | undefined },
): Promise<{ email: string }> {
  const hash = await hashPassword(password);
  return transaction(db, async (tx) => {
    const person = await queries.takeLink(tx, orgId, identifierOf(token));
    if (person === undefined) {
      throw new DomainError(
        'unauthenticated',
        'This link was used already, or is too old. Ask for another one.',
      );
    }
    await queries.setPassword(tx, orgId, person.id, hash);
    const actor = { type: 'user' as const, uuid: person.id, ip: visitor.ip, user_agent: visitor.userAgent };
    await recordEvents(tx, orgId, await endAll(tx, orgId, person.id, actor));
    return { email: person.email };
  });
}

const identifierOf = (token: string) => `link:${createHash('sha256').update(token).digest('hex')}`;

/** An administrator looks after the sign-in of everybody but owners (governance "Roles"). */
export function requireMayHandle(principal: Principal, person: { role: string }) {
  if (person.role === 'owner' && principal.role !== 'owner') {
    throw forbidden('Only an owner may change how an owner signs in.');
  }
}

/** user.updated, of a change to how a person signs in. */
export const changed = (
  { keyId }: Principal,
  actor: Actor,
  { id, email }: { id: string; email: string },
  change: { field: string; from: string | null; to: string | null },
): NewEvent => ({
  type: 'user.updated',
  actor,
  subject: { type: 'platform_user', uuid: id },
  source: keyId === null ? { type: 'user_action', uuid: null } : { type: 'api', uuid: keyId },
  payload: { user_id: id, email, changes: [change] },
});
