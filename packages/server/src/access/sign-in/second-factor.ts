import { createOTP } from '@better-auth/utils/otp';
import { symmetricDecrypt } from 'better-auth/crypto';
import { recordEvents } from '../../events/record.ts';
import type { Actor } from '../../identity/cause.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import type { Auth } from './auth.ts';
import { changed, requireMayHandle } from './passwords.ts';
import * as queries from './queries.ts';

const STEP_MS = 30_000;

/** 409 where there is nothing to confirm: no secret was made, or it counts already. */
export async function requireUnconfirmed(db: Db, { orgId, userId }: Principal): Promise<void> {
  const factor = await queries.findSecondFactor(db, orgId, userId);
  if (factor === undefined || factor.verified) throw conflict('There is no second factor to confirm.');
}

/** 404 where the person has none. */
export async function requireConfirmed(db: Db, { orgId, userId }: Principal): Promise<void> {
  const factor = await queries.findSecondFactor(db, orgId, userId);
  if (factor === undefined || !factor.verified) throw notFound('Second factor');
}

/**
 * Answers false for a code that was accepted before, or one that is older than the last one accepted. better-auth
 * found it right; that it works once (RFC 6238, 5.2) is ours to see to.
 */
export async function isFirstUse(
  db: Db,
  auth: Auth,
  orgId: string,
  userId: string,
  code: string,
): Promise<boolean> {
  const factor = await queries.findSecondFactor(db, orgId, userId);
  if (factor === undefined) return false;
  const { secretConfig } = await auth.$context;
  const otp = createOTP(await symmetricDecrypt({ key: secretConfig, data: factor.secret }));
  const now = Math.floor(Date.now() / STEP_MS);
  for (const step of [now + 1, now, now - 1]) {
    if ((await otp.hotp(step)) === code) return queries.claimStep(db, orgId, userId, step);
  }
  return false;
}

/** For somebody who lost theirs. 404 where there is none; 403 for an owner's, but by an owner. */
export async function removeFor(
  db: Db,
  principal: Principal,
  actor: Actor,
  person: { id: string; email: string; role: string },
): Promise<void> {
  requireMayHandle(principal, person);
  await transaction(db, async (tx) => {
    if (!(await queries.deleteSecondFactor(tx, principal.orgId, person.id))) throw notFound('Second factor');
    const change = { field: 'second_factor', from: 'totp', to: null };
    await recordEvents(tx, principal.orgId, [changed(principal, actor, person, change)]);
  });
}
