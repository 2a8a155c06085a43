import { isIP } from 'node:net';
import { type OrgTx, transaction } from '#kit/database.ts';
import { type DomainError, notFound } from '#kit/errors.ts';
import { type Call, identityOf, type PersonIdentity } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import type { Auth } from '../auth/auth.ts';
import { type SignInContext, transactionWithAuth } from '../auth/context.ts';
import { signInRefusals } from '../sentences.ts';
import { requireMayManageSignIn, requireMayOversee } from '../sessions/permission.ts';
import { setFactors } from '../sessions/queries/sessions.ts';
import { deleteSessions } from '../sessions/sessions.ts';
import { type AuthResponse, readResponse } from '../visit/auth-response.ts';
import { headersOf, type Visit } from '../visit/visit.ts';
import * as queries from './queries/passkeys.ts';
import { findSecondFactor } from './queries/second-factors.ts';
import { requireMayAddFactor } from './second-factor-policy.ts';
import { factorAdded, factorRemoved } from './sign-in-change.ts';

/** A WebAuthn response of the browser. better-auth checks it. */
export type PasskeyResponse = NonNullable<
  Parameters<Auth['api']['verifyPasskeyAuthentication']>[0]
>['body']['response'];

export const listPasskeys = (call: Call): Promise<queries.Passkey[]> =>
  queries.listPasskeys(call, call.principal.userId);

/** Returns a person's passkeys to an administrator. Only owners may see and remove those of an owner. */
export async function listPasskeysOf(call: Call, person: PersonIdentity): Promise<queries.Passkey[]> {
  requireMayOversee(call.principal, person);
  return queries.listPasskeys(call, person.id);
}

/** Returns the WebAuthn options for adding a passkey. Throws 403 if the caller has not signed in recently. */
export async function beginAddingPasskey(
  { authFor }: SignInContext,
  visit: Visit,
  call: Call,
): Promise<AuthResponse> {
  await requireMayAddPasskey(call, visit);
  const headers = headersOf(visit);
  const { api } = await authFor(visit);
  return readResponse(await api.generatePasskeyRegistrationOptions({ headers, asResponse: true }), refusal);
}

/** Adds a passkey to the caller's. The session then counts as one with a second factor. */
export async function addPasskey(
  visit: Visit,
  call: Call,
  passkey: { name: string; response: PasskeyResponse },
): Promise<queries.Passkey> {
  const { userId, sessionId } = call.principal;
  await requireMayAddPasskey(call, visit);
  const person = await identityOf(call, userId);
  const id = await transactionWithAuth(call, visit, async (auth, tx) => {
    const headers = headersOf(visit);
    const response = await auth.api.verifyPasskeyRegistration({ body: passkey, headers, asResponse: true });
    const { body } = await readResponse(response, refusal);
    await setFactors(tx, userId, { second_factor: true, passkey: true }, sessionId);
    await recordEvents(tx, factorAdded(call.cause, person, { kind: 'passkey', name: passkey.name }));
    return body.id as string;
  });
  const added = (await queries.listPasskeys(call, userId)).find((one) => one.id === id);
  if (added === undefined) throw notFound('Passkey');
  return added;
}

async function requireMayAddPasskey(call: Call, visit: Visit): Promise<void> {
  requirePasskeys(visit.origin);
  await requireMayAddFactor(call);
}

/**
 * Removes one of the caller's own passkeys. Throws 403 if they have not signed in recently. Without another factor,
 * their sessions no longer count as having passed a second one.
 */
export async function removePasskey(call: Call, passkeyId: string): Promise<void> {
  const { userId } = call.principal;
  const person = await identityOf(call, userId);
  await remove(call, person, passkeyId, async (tx) => {
    const hasPasskeys = (await queries.listPasskeys(tx, userId)).length > 0;
    const hasCodes = (await findSecondFactor(tx, userId))?.verified === true;
    if (!hasPasskeys)
      await setFactors(tx, userId, {
        passkey: false,
        second_factor: hasCodes ? null : false,
      });
    return [];
  });
}

/** Removes a passkey of a person, such as one on a lost device, and ends the person's sessions. */
export async function removePasskeyOf(call: Call, person: PersonIdentity, passkeyId: string): Promise<void> {
  await requireMayManageSignIn(call, person);
  await remove(call, person, passkeyId, (tx) => deleteSessions(tx, person.id, call.cause.actor));
}

async function remove(
  call: Call,
  person: PersonIdentity,
  passkeyId: string,
  also: (tx: OrgTx) => Promise<NewEvent[]>,
): Promise<void> {
  await transaction(call, async (tx) => {
    const removed = await queries.deletePasskey(tx, person.id, passkeyId);
    if (removed === undefined) throw notFound('Passkey');
    const ended = await also(tx);
    const factor = { kind: 'passkey', name: removed.name } as const;
    await recordEvents(tx, [...factorRemoved(call.cause, person, factor), ...ended]);
  });
}

const refusal = () => signInRefusals.passkey_unverified();

/** Throws 400 if browsers refuse passkeys at this origin. */
export function requirePasskeys(origin: string): void {
  const refused = refusalOfPasskeys(origin);
  if (refused !== null) throw refused;
}

/**
 * Returns why browsers refuse passkeys at this origin, or null. A passkey belongs to a domain, so there are none at an
 * IP address, and browsers create them on secure pages only (WebAuthn, section 5.1.3).
 */
export function refusalOfPasskeys(origin: string): DomainError | null {
  const { hostname, protocol, port } = new URL(origin);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  if (isAddress) {
    const isLocal = /^(127\.|\[::1\])/.test(hostname);
    const address = `${protocol}//localhost${port === '' ? '' : `:${port}`}`;
    return isLocal
      ? signInRefusals.passkeys_need_localhost({ hostname, address })
      : signInRefusals.passkeys_need_name({ hostname });
  }
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure ? null : signInRefusals.passkeys_need_https({ origin });
}
