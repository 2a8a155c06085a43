import { recordEvents } from '../../events/record.ts';
import type { Cause } from '../../identity/cause.ts';
import { identityOf } from '../../identity/person.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { forbidden, invalid, notFound } from '../../platform/errors.ts';
import type { Auth } from './auth.ts';
import { type AuthResponse, readResponse } from './auth-response.ts';
import { type SignInContext, transactionWithAuth } from './context.ts';
import * as queries from './queries/passkeys.ts';
import { signInChanged } from './sign-in-change.ts';
import { headersOf, type Visit } from './visit.ts';

/** A WebAuthn response of the browser. better-auth checks it. */
export type PasskeyResponse = NonNullable<
  Parameters<Auth['api']['verifyPasskeyAuthentication']>[0]
>['body']['response'];

export const listPasskeys = (db: Db, { orgId, userId }: Principal): Promise<queries.Passkey[]> =>
  queries.listPasskeys(db, orgId, userId);

/** Returns the WebAuthn options for adding a passkey. Throws 403 if the caller signed in more than a day ago. */
export async function beginAddingPasskey({ authFor }: SignInContext, visit: Visit): Promise<AuthResponse> {
  const headers = headersOf(visit);
  const { api } = authFor(visit);
  return readResponse(await api.generatePasskeyRegistrationOptions({ headers, asResponse: true }), refusalOf);
}

export async function addPasskey(
  context: SignInContext,
  visit: Visit,
  principal: Principal,
  cause: Cause,
  passkey: { name: string; response: PasskeyResponse },
): Promise<queries.Passkey> {
  const { db } = context;
  const { orgId, userId } = principal;
  const person = await identityOf(db, principal, userId);
  const id = await transactionWithAuth(context, visit, async (auth, tx) => {
    const headers = headersOf(visit);
    const response = await auth.api.verifyPasskeyRegistration({ body: passkey, headers, asResponse: true });
    const { body } = await readResponse(response, refusalOf);
    const change = { field: 'passkey', from: null, to: passkey.name };
    await recordEvents(tx, orgId, [signInChanged(cause, person, change)]);
    return body.id as string;
  });
  const added = (await queries.listPasskeys(db, orgId, userId)).find((one) => one.id === id);
  if (added === undefined) throw notFound('Passkey');
  return added;
}

/** Removes one of the caller's own passkeys. */
export async function removePasskey(
  db: Db,
  principal: Principal,
  cause: Cause,
  passkeyId: string,
): Promise<void> {
  const { orgId, userId } = principal;
  const person = await identityOf(db, principal, userId);
  await transaction(db, async (tx) => {
    const removed = await queries.deletePasskey(tx, orgId, userId, passkeyId);
    if (removed === undefined) throw notFound('Passkey');
    const change = { field: 'passkey', from: removed.name, to: null };
    await recordEvents(tx, orgId, [signInChanged(cause, person, change)]);
  });
}

const refusalOf = (code: string) =>
  code === 'SESSION_NOT_FRESH'
    ? forbidden('You signed in more than a day ago. Sign in again to add a passkey.')
    : invalid('The passkey could not be verified. Try again.');
