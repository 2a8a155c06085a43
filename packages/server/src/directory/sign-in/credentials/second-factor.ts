import { recordMeans } from '#directory/means/means.ts';
import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { type DomainError, notFound } from '#kit/errors.ts';
import { type Call, identityOf, type PersonIdentity } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import type { Auth } from '../auth/auth.ts';
import { type SignInContext, transactionWithAuth } from '../auth/context.ts';
import { signInRefusals } from '../sentences.ts';
import { requireMayManageSignIn } from '../sessions/permission.ts';
import { setFactors } from '../sessions/queries/sessions.ts';
import { deleteSessions, keepSession } from '../sessions/sessions.ts';
import { attemptFactor } from '../visit/attempts.ts';
import { readResponse } from '../visit/auth-response.ts';
import { headersOf, type Visit } from '../visit/visit.ts';
import { requirePassword } from './passwords.ts';
import { deletePasskeys } from './queries/passkeys.ts';
import * as queries from './queries/second-factors.ts';
import { requireMayAddFactor } from './second-factor-policy.ts';
import { type Factor, factorAdded, factorRemoved, type SignInCause } from './sign-in-change.ts';

/**
 * One-time codes (RFC 6238) as the second factor of a password. A second factor is set up, then confirmed with a first
 * code. Only a confirmed one is required when signing in.
 */

const STEP_MS = 30_000;

/** Removes the spaces with which apps group a code's digits. */
export const normalizeCode = (code: string) => code.replaceAll(/\s/g, '');

export interface SecondFactorSetup {
  /** An `otpauth:` address. */
  uri: string;
  backup_codes: string[];
}

/** Creates the caller's second factor. Throws 409 if they have a confirmed one. */
export async function setUpSecondFactor(
  { authFor }: SignInContext,
  visit: Visit,
  call: Call,
  password: string,
): Promise<SecondFactorSetup> {
  await requireMayAddFactor(call);
  const { email } = await identityOf(call, call.principal.userId);
  return attemptFactor(call.db, visit, { method: 'password', identifier: email }, async () => {
    await requirePassword(call, password);
    const { api } = await authFor(visit);
    const response = await api.enableTwoFactor({
      body: { password },
      headers: headersOf(visit),
      asResponse: true,
    });
    const { body } = await readResponse(response, () => signInRefusals.second_factor_exists());
    return { uri: body.totpURI, backup_codes: body.backupCodes };
  });
}

/**
 * Confirms the caller's second factor with a first code. Returns the cookies that keep them signed in. Throws 409 if
 * there is none to confirm.
 */
export async function confirmSecondFactor(visit: Visit, call: Call, typedCode: string): Promise<string[]> {
  const { userId, sessionId } = call.principal;
  const code = normalizeCode(typedCode);
  await requireMayAddFactor(call);
  const person = await identityOf(call, userId);
  const factor = await queries.findSecondFactor(call, userId);
  if (factor === undefined || factor.verified) throw signInRefusals.second_factor_unconfirmable();
  return attemptFactor(call.db, visit, { method: 'totp', identifier: person.email }, () =>
    transactionWithAuth(call, visit, async (auth, tx) => {
      const { cookies } = await keepSession(tx, visit.origin, async () => {
        const headers = headersOf(visit);
        const response = await auth.api.verifyTOTP({ body: { code }, headers, asResponse: true });
        const refusal = response.ok ? undefined : await refusalOfWrongCode(auth, factor, code);
        return readResponse(response, refusal && (() => refusal));
      });
      await claimCode(tx, auth, userId, code);
      await setFactors(tx, userId, { second_factor: true }, sessionId);
      await recordEvents(tx, factorAdded(call.cause, person, { kind: 'totp' }));
      return cookies;
    }),
  );
}

/**
 * Removes the caller's second factor. Returns the cookies that keep them signed in. Throws 404 if they have none, and
 * 403 if they have not signed in recently. If their role requires one, they must set up another one next.
 */
export async function removeSecondFactor(visit: Visit, call: Call, password: string): Promise<string[]> {
  const { userId } = call.principal;
  const person = await identityOf(call, userId);
  const factor = await queries.findSecondFactor(call, userId);
  if (factor === undefined || !factor.verified) throw notFound('Second factor');
  return attemptFactor(call.db, visit, { method: 'password', identifier: person.email }, async () => {
    await requirePassword(call, password);
    return transactionWithAuth(call, visit, async (auth, tx) => {
      const { cookies } = await keepSession(tx, visit.origin, async () => {
        const headers = headersOf(visit);
        return readResponse(
          await auth.api.disableTwoFactor({ body: { password }, headers, asResponse: true }),
        );
      });
      await setFactors(tx, userId, { second_factor: false });
      await recordEvents(tx, factorRemoved(call.cause, person, { kind: 'totp' }));
      return cookies;
    });
  });
}

/**
 * Removes the second factor and the passkeys of a person who has lost them, and ends the person's sessions: a stranger
 * may have the device. Throws 404 if the person has neither.
 */
export async function removeSecondFactorOf(call: Call, person: PersonIdentity): Promise<void> {
  await requireMayManageSignIn(call, person);
  await transaction(call, async (tx) => {
    await recordMeans(tx, 'factor', person.id);
    if (!(await removeFactors(tx, person, call.cause))) throw notFound('Second factor');
  });
}

/** Removes the second factor and the passkeys of a person, and ends their sessions. Returns false, and changes nothing, if they have neither. */
export async function removeFactors(tx: OrgTx, person: PersonIdentity, cause: SignInCause): Promise<boolean> {
  const hadCodes = await queries.deleteSecondFactor(tx, person.id);
  const passkeys = await deletePasskeys(tx, person.id);
  const removed: Factor[] = [
    ...(hadCodes ? [{ kind: 'totp' } as const] : []),
    ...passkeys.map(({ name }) => ({ kind: 'passkey', name }) as const),
  ];
  if (removed.length === 0) return false;
  const ended = await deleteSessions(tx, person.id, cause.actor);
  await recordEvents(tx, [...removed.flatMap((factor) => factorRemoved(cause, person, factor)), ...ended]);
  return true;
}

/**
 * Marks a code as used. Returns false if it, or a later one, was accepted before. better-auth has verified the code, but
 * does not enforce that it works only once (RFC 6238, 5.2).
 */
export async function claimCode(org: OrgDb, auth: Auth, userId: string, code: string): Promise<boolean> {
  const factor = await queries.findSecondFactor(org, userId);
  if (factor === undefined) return false;
  const otp = await otpOf(auth, factor);
  const now = Math.floor(Date.now() / STEP_MS);
  for (const step of [now + 1, now, now - 1]) {
    if ((await otp.hotp(step)) === code) return queries.claimStep(org, userId, step);
  }
  return false;
}

async function otpOf(auth: Auth, { secret }: queries.SecondFactor) {
  const { secretConfig } = await auth.$context;
  const { createOTP } = await import('@better-auth/utils/otp');
  const { symmetricDecrypt } = await import('better-auth/crypto');
  return createOTP(await symmetricDecrypt({ key: secretConfig, data: secret }));
}

/** A phone's clock that is off by this many steps, an hour, is recognized. */
const MOST_STEPS_OFF = 120;

/**
 * Says why a first code is wrong. Set-up is where a wrong clock shows, and nobody learns anything there: the caller has
 * just been given the secret.
 */
async function refusalOfWrongCode(
  auth: Auth,
  factor: queries.SecondFactor,
  code: string,
): Promise<DomainError> {
  const otp = await otpOf(auth, factor);
  const now = Math.floor(Date.now() / STEP_MS);
  for (let off = 2; off <= MOST_STEPS_OFF; off++) {
    const isOff = (await otp.hotp(now + off)) === code || (await otp.hotp(now - off)) === code;
    if (!isOff) continue;
    const minutes = Math.round((off * STEP_MS) / 60_000);
    return signInRefusals.code_of_wrong_clock({ minutes });
  }
  return signInRefusals.code_incorrect();
}
