import { identityOf } from '../../identity/person.ts';
import type { Principal } from '../../identity/principal.ts';
import { forbidden, invalid } from '../../platform/errors.ts';
import { tokenHash } from './adapter.ts';
import { attemptFactor } from './attempts.ts';
import { newToken, readResponse } from './auth-response.ts';
import { type SignInContext, transactionWithAuth } from './context.ts';
import type { PasskeyResponse } from './passkeys.ts';
import { requirePassword } from './passwords.ts';
import { findPasskeyOwner } from './queries/passkeys.ts';
import { findSecondFactor } from './queries/second-factors.ts';
import { discardSession, markConfirmed } from './queries/sessions.ts';
import { claimCode, normalizeCode, WRONG_CODE } from './second-factor.ts';
import { headersWithoutSession, type Visit } from './visit.ts';

/** Exactly one of these. */
export interface Proof {
  password?: string;
  /** A one-time code. */
  code?: string;
  /** A response of the browser to the options for signing in with a passkey. */
  response?: PasskeyResponse;
}

/**
 * Lets the caller prove again who they are, so that they can change how they sign in (freshness.ts). Throws 403 for a
 * wrong proof, which counts as a failed sign-in.
 */
export async function confirmIdentity(
  context: SignInContext,
  visit: Visit,
  principal: Principal,
  { password, code, response }: Proof,
): Promise<void> {
  if ([password, code, response].filter((proof) => proof !== undefined).length !== 1)
    throw invalid('Give exactly one of password, code and response.');
  const { db } = context;
  const { email } = await identityOf(db, principal, principal.userId);
  const method = password !== undefined ? 'password' : code !== undefined ? 'totp' : 'passkey';
  await attemptFactor(db, visit, { method, identifier: email }, async () => {
    if (password !== undefined) await requirePassword(db, principal, password);
    if (code !== undefined) await requireCode(context, visit, principal, normalizeCode(code));
    if (response !== undefined) await requirePasskey(context, visit, principal, response);
    await markConfirmed(db, principal.orgId, principal.sessionId as string, method !== 'password');
  });
}

async function requireCode(
  { db, authFor }: SignInContext,
  visit: Visit,
  { orgId, userId }: Principal,
  code: string,
): Promise<void> {
  if ((await findSecondFactor(db, orgId, userId))?.verified !== true)
    throw invalid('You have no one-time codes. Use your password or a passkey.');
  if (!(await claimCode(db, authFor(visit), orgId, userId, code))) throw forbidden(WRONG_CODE);
}

async function requirePasskey(
  context: SignInContext,
  visit: Visit,
  { orgId, userId }: Principal,
  response: PasskeyResponse,
): Promise<void> {
  const refusal = forbidden('This passkey is not yours, or it could not be verified.');
  const owner = await findPasskeyOwner(context.db, orgId, response.id);
  if (owner?.id !== userId) throw refusal;
  await transactionWithAuth(context, visit, async (auth, tx) => {
    const headers = headersWithoutSession(visit);
    const answer = await auth.api.verifyPasskeyAuthentication({
      body: { response },
      headers,
      asResponse: true,
    });
    const token = newToken(await readResponse(answer, () => refusal), visit.origin);
    // better-auth starts a session. The caller keeps the one they have.
    if (token !== undefined) await discardSession(tx, orgId, tokenHash(token));
  });
}
