import { type Db, type OrgDb, within } from '#kit/database.ts';
import { recordAlone } from '#log/events/record.ts';
import type { Auth } from '../auth/auth.ts';
import type { SignInContext } from '../auth/context.ts';
import { signInRefusals } from '../sentences.ts';
import type { SignInDetails } from '../sessions/method.ts';
import { startSession } from '../sessions/sessions.ts';
import { attemptFactor } from '../visit/attempts.ts';
import { type AuthResponse, readResponse, tokenInCookie } from '../visit/auth-response.ts';
import { headersOf, headersWithoutSession, type Visit } from '../visit/visit.ts';
import { countEvents } from './passkey-count.ts';
import { type PasskeyResponse, requirePasskeys } from './passkeys.ts';
import { findPasskeyOwner, type PasskeyOwner } from './queries/passkeys.ts';
import { findAwaitingCode } from './queries/second-factors.ts';
import { claimCode, normalizeCode } from './second-factor.ts';

export interface SignInResult {
  /** False if a second factor is required first. */
  signedIn: boolean;
  cookies: string[];
}

/** Verifies a password. Starts a session unless the person has a second factor. */
export async function signInWithPassword(
  context: SignInContext,
  visit: Visit,
  { email: typedEmail, password }: { email: string; password: string },
): Promise<SignInResult> {
  const email = typedEmail.trim();
  return attemptFactor(context.db, visit, { method: 'password', identifier: email }, async () => {
    const { api } = await context.authFor(visit);
    const response = await api.signInEmail({
      body: { email, password },
      headers: headersOf(visit),
      asResponse: true,
    });
    const result = await readResponse(response, () => signInRefusals.wrong_password());
    const details: SignInDetails = { method: 'password', provider: null, second_factor: false };
    return { signedIn: await startSession(context, visit, result, details), cookies: result.cookies };
  });
}

/** Verifies the second factor of a person whose password was verified in this browser, and starts their session. */
export async function signInWithSecondFactor(
  context: SignInContext,
  visit: Visit,
  { code: typedCode, kind }: { code: string; kind: 'totp' | 'backup_code' },
): Promise<SignInResult> {
  const { db } = context;
  const code = normalizeCode(typedCode);
  const auth = await context.authFor(visit);
  const identifier = await emailAwaitingCode(db, auth, visit);
  return attemptFactor(db, visit, { method: kind, identifier }, async () => {
    const verify = kind === 'totp' ? auth.api.verifyTOTP : auth.api.verifyBackupCode;
    const headers = headersWithoutSession(visit);
    const result = await readResponse(
      await verify({ body: { code }, headers, asResponse: true }),
      refusalOfCode,
    );
    const isReused =
      kind === 'totp' &&
      !(await claimCode(within(db, visit.organization.id), auth, result.body.user.id, code));
    if (isReused) {
      throw signInRefusals.code_already_used();
    }
    const details: SignInDetails = { method: 'password', provider: null, second_factor: true };
    return { signedIn: await startSession(context, visit, result, details), cookies: result.cookies };
  });
}

/** Returns the email of the person whose password was verified in this browser and whose code is missing. */
async function emailAwaitingCode(
  db: Db,
  auth: Auth,
  { organization, cookie }: Visit,
): Promise<string | null> {
  const { createAuthCookie } = await auth.$context;
  const { parseCookies } = await import('better-auth/cookies');
  const value = parseCookies(cookie ?? '').get(createAuthCookie('two_factor').name);
  if (value === undefined) return null;
  return (await findAwaitingCode(within(db, organization.id), tokenInCookie(value) ?? ''))?.email ?? null;
}

const refusalOfCode = (code: string) =>
  code.startsWith('INVALID_TWO_FACTOR') || code.startsWith('TOO_MANY')
    ? signInRefusals.password_again()
    : signInRefusals.sign_in_code_incorrect();

/** Returns the WebAuthn options for signing in with a passkey. Throws 400 where browsers have none. */
export async function beginPasskeySignIn({ authFor }: SignInContext, visit: Visit): Promise<AuthResponse> {
  requirePasskeys(visit.origin);
  const headers = headersWithoutSession(visit);
  const { api } = await authFor(visit);
  const result = await readResponse(
    await api.generatePasskeyAuthenticationOptions({ headers, asResponse: true }),
  );
  return { ...result, body: { ...result.body, userVerification: 'required' } };
}

/** Verifies a passkey, which counts as both factors, and starts a session. */
export async function signInWithPasskey(
  context: SignInContext,
  visit: Visit,
  response: PasskeyResponse,
): Promise<SignInResult> {
  const { db, authFor } = context;
  const owner = await findPasskeyOwner(within(db, visit.organization.id), response.id);
  const attempt = { method: 'passkey', identifier: owner?.email ?? null };
  return attemptFactor(db, visit, attempt, async () => {
    if (owner === undefined) throw signInRefusals.passkey_unknown();
    const headers = headersWithoutSession(visit);
    const { api } = await authFor(visit);
    const result = await readResponse(
      await api.verifyPasskeyAuthentication({ body: { response }, headers, asResponse: true }),
      () => signInRefusals.passkey_unknown(),
    );
    await recordCount(within(db, visit.organization.id), visit, owner, response);
    const details: SignInDetails = { method: 'passkey', provider: null, second_factor: false };
    return { signedIn: await startSession(context, visit, result, details), cookies: result.cookies };
  });
}

async function recordCount(
  db: OrgDb,
  { ip, userAgent }: Visit,
  owner: PasskeyOwner,
  response: PasskeyResponse,
): Promise<void> {
  const actor = { type: 'user' as const, uuid: owner.id, ip, user_agent: userAgent };
  const events = countEvents({ actor, source: { type: 'user_action', uuid: null } }, owner, response);
  if (events.length > 0) await recordAlone(db, events);
}
