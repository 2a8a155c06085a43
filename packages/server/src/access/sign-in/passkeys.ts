import { isIP } from 'node:net';
import { type NewEvent, recordEvents } from '../../events/record.ts';
import type { RequestCause } from '../../identity/cause.ts';
import { identityOf, type PersonIdentity } from '../../identity/person.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import type { Auth } from './auth.ts';
import { type AuthResponse, readResponse } from './auth-response.ts';
import { type SignInContext, transactionWithAuth } from './context.ts';
import { requireFreshSignIn } from './freshness.ts';
import { requireMayManageSignIn } from './permission.ts';
import * as queries from './queries/passkeys.ts';
import { findSecondFactor } from './queries/second-factors.ts';
import { setSecondFactor } from './queries/sessions.ts';
import { requireMayAddFactor } from './second-factor-policy.ts';
import { deleteSessions } from './sessions.ts';
import { factorAdded, factorRemoved } from './sign-in-change.ts';
import { headersOf, type Visit } from './visit.ts';

/** A WebAuthn response of the browser. better-auth checks it. */
export type PasskeyResponse = NonNullable<
  Parameters<Auth['api']['verifyPasskeyAuthentication']>[0]
>['body']['response'];

export const listPasskeys = (db: Db, { orgId, userId }: Principal): Promise<queries.Passkey[]> =>
  queries.listPasskeys(db, orgId, userId);

/** Returns a person's passkeys to an administrator. Only owners may see and remove those of an owner. */
export async function listPasskeysOf(
  db: Db,
  principal: Principal,
  userId: string,
): Promise<queries.Passkey[]> {
  const person = await identityOf(db, principal, userId);
  requireMayManageSignIn(principal, person);
  return queries.listPasskeys(db, principal.orgId, person.id);
}

/** Returns the WebAuthn options for adding a passkey. Throws 403 if the caller has not signed in recently. */
export async function beginAddingPasskey(
  { db, authFor }: SignInContext,
  visit: Visit,
  principal: Principal,
): Promise<AuthResponse> {
  await requireMayAddPasskey(db, visit, principal);
  const headers = headersOf(visit);
  const { api } = authFor(visit);
  return readResponse(await api.generatePasskeyRegistrationOptions({ headers, asResponse: true }), refusal);
}

/** Adds a passkey to the caller's. The session then counts as one with a second factor. */
export async function addPasskey(
  context: SignInContext,
  visit: Visit,
  principal: Principal,
  cause: RequestCause,
  passkey: { name: string; response: PasskeyResponse },
): Promise<queries.Passkey> {
  const { db } = context;
  const { orgId, userId, sessionId } = principal;
  await requireMayAddPasskey(db, visit, principal);
  const person = await identityOf(db, principal, userId);
  const id = await transactionWithAuth(context, visit, async (auth, tx) => {
    const headers = headersOf(visit);
    const response = await auth.api.verifyPasskeyRegistration({ body: passkey, headers, asResponse: true });
    const { body } = await readResponse(response, refusal);
    await setSecondFactor(tx, orgId, userId, true, sessionId);
    await recordEvents(tx, orgId, factorAdded(cause, person, { kind: 'passkey', name: passkey.name }));
    return body.id as string;
  });
  const added = (await queries.listPasskeys(db, orgId, userId)).find((one) => one.id === id);
  if (added === undefined) throw notFound('Passkey');
  return added;
}

async function requireMayAddPasskey(db: Db, visit: Visit, principal: Principal): Promise<void> {
  const reason = reasonAgainstPasskeys(visit.origin);
  if (reason !== null) throw invalid(reason);
  await requireFreshSignIn(db, principal);
  await requireMayAddFactor(db, principal);
}

/**
 * Removes one of the caller's own passkeys. Throws 403 if they have not signed in recently. Without another factor,
 * their sessions no longer count as having passed a second one.
 */
export async function removePasskey(
  db: Db,
  principal: Principal,
  cause: RequestCause,
  passkeyId: string,
): Promise<void> {
  await requireFreshSignIn(db, principal);
  const { orgId, userId } = principal;
  const person = await identityOf(db, principal, userId);
  await remove(db, principal, cause, person, passkeyId, async (tx) => {
    const hasPasskeys = (await queries.listPasskeys(tx, orgId, userId)).length > 0;
    const hasCodes = (await findSecondFactor(tx, orgId, userId))?.verified === true;
    if (!hasPasskeys && !hasCodes) await setSecondFactor(tx, orgId, userId, false);
    return [];
  });
}

/** Removes a passkey of a person, such as one on a lost device, and ends the person's sessions. */
export async function removePasskeyOf(
  db: Db,
  principal: Principal,
  cause: RequestCause,
  userId: string,
  passkeyId: string,
): Promise<void> {
  const person = await identityOf(db, principal, userId);
  requireMayManageSignIn(principal, person);
  await remove(db, principal, cause, person, passkeyId, (tx) =>
    deleteSessions(tx, principal.orgId, person.id, cause.actor),
  );
}

async function remove(
  db: Db,
  { orgId }: Principal,
  cause: RequestCause,
  person: PersonIdentity,
  passkeyId: string,
  also: (tx: Tx) => Promise<NewEvent[]>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const removed = await queries.deletePasskey(tx, orgId, person.id, passkeyId);
    if (removed === undefined) throw notFound('Passkey');
    const ended = await also(tx);
    const factor = { kind: 'passkey', name: removed.name } as const;
    await recordEvents(tx, orgId, [...factorRemoved(cause, person, factor), ...ended]);
  });
}

const refusal = () => invalid('The passkey could not be verified. Try again.');

/**
 * Returns why browsers refuse passkeys at this origin, or null. A passkey belongs to a domain, so there are none at an
 * IP address, and browsers create them on secure pages only (WebAuthn, section 5.1.3).
 */
export function reasonAgainstPasskeys(origin: string): string | null {
  const { hostname, protocol, port } = new URL(origin);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  if (isAddress) {
    const isLocal = /^(127\.|\[::1\])/.test(hostname);
    const instead = isLocal ? ` Open ${protocol}//localhost${port === '' ? '' : `:${port}`} instead.` : '';
    return `Passkeys require a host name, and ${hostname} is an IP address.${instead}`;
  }
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure ? null : `Passkeys require https, and ${origin} is opened without it.`;
}
