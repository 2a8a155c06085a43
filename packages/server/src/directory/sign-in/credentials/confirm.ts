import { type Call, identityOf } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { type SignInContext, transactionWithAuth } from '../auth/context.ts';
import { tokenHash } from '../auth/session-token.ts';
import { signInRefusals } from '../sentences.ts';
import { discardSession, markConfirmed } from '../sessions/queries/sessions.ts';
import { attemptFactor } from '../visit/attempts.ts';
import { newToken, readResponse } from '../visit/auth-response.ts';
import { headersWithoutSession, type Visit } from '../visit/visit.ts';
import { countEvents } from './passkey-count.ts';
import type { PasskeyResponse } from './passkeys.ts';
import { requirePassword } from './passwords.ts';
import { findPasskeyOwner } from './queries/passkeys.ts';
import { findSecondFactor } from './queries/second-factors.ts';
import { claimCode, normalizeCode } from './second-factor.ts';

/** Exactly one of these. */
export interface Proof {
  password?: string;
  /** A one-time code. */
  code?: string;
  /** A response of the browser to the options for signing in with a passkey. */
  response?: PasskeyResponse;
}

/**
 * Lets the caller prove again who they are, so that routes with a step-up admit them. Throws 403 for a
 * wrong proof, which counts as a failed sign-in.
 */
export async function confirmIdentity(
  context: SignInContext,
  visit: Visit,
  call: Call,
  { password, code, response }: Proof,
): Promise<void> {
  if ([password, code, response].filter((proof) => proof !== undefined).length !== 1)
    throw signInRefusals.confirm_with_one_proof();
  const { email } = await identityOf(call, call.principal.userId);
  const method = password !== undefined ? 'password' : code !== undefined ? 'totp' : 'passkey';
  await attemptFactor(call.db, visit, { method, identifier: email }, async () => {
    if (password !== undefined) await requirePassword(call, password);
    if (code !== undefined) await requireCode(context, visit, call, normalizeCode(code));
    if (response !== undefined) await requirePasskey(visit, call, response);
    await markConfirmed(call, call.principal.sessionId as string, method);
  });
}

async function requireCode(
  { authFor }: SignInContext,
  visit: Visit,
  call: Call,
  code: string,
): Promise<void> {
  if ((await findSecondFactor(call, call.principal.userId))?.verified !== true)
    throw signInRefusals.no_one_time_codes();
  if (!(await claimCode(call, await authFor(visit), call.principal.userId, code)))
    throw signInRefusals.code_incorrect();
}

async function requirePasskey(visit: Visit, call: Call, response: PasskeyResponse): Promise<void> {
  const refusal = signInRefusals.passkey_not_yours();
  const owner = await findPasskeyOwner(call, response.id);
  if (owner?.id !== call.principal.userId) throw refusal;
  await transactionWithAuth(call, visit, async (auth, tx) => {
    const headers = headersWithoutSession(visit);
    const answer = await auth.api.verifyPasskeyAuthentication({
      body: { response },
      headers,
      asResponse: true,
    });
    const token = await newToken(await readResponse(answer, () => refusal), visit.origin);
    // better-auth starts a session. The caller keeps the one they have.
    if (token !== undefined) await discardSession(tx, tokenHash(token));
    await recordEvents(tx, countEvents(call.cause, owner, response));
  });
}
