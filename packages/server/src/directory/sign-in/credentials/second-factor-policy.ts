import { refusedAt } from '#kit/errors.ts';
import type { Call, Principal } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import { sessionSentences } from '../sentences.ts';
import { findSession } from '../sessions/queries/sessions.ts';
import { listPasskeys } from './queries/passkeys.ts';
import { findSecondFactor } from './queries/second-factors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A session whose person must set up a second factor first may call this route. */
    allowsMissingFactor?: boolean;
  }
}

const required = (why: Sentence) => refusedAt('forbidden', '', 'second_factor_required', why);

/** Throws 403 for a session whose person must set up a second factor before they can do anything else. */
export function requireSecondFactor(
  { missingFactor, role }: Principal,
  { allowsMissingFactor }: { allowsMissingFactor?: boolean } = {},
): void {
  if ((missingFactor ?? null) === null || allowsMissingFactor === true) return;
  throw required(
    missingFactor === 'passkey'
      ? sessionSentences.passkey_required({ role })
      : sessionSentences.factor_required({ role }),
  );
}

/**
 * Throws 403 if the caller's role requires a factor that this session lacks, and they have one that they did not use: a
 * stolen password must not be enough to add another one.
 */
export async function requireMayAddFactor(call: Call): Promise<void> {
  const { userId, sessionId, missingFactor } = call.principal;
  if ((missingFactor ?? null) === null) return;
  const usedCode = (await findSession(call, sessionId as string))?.second_factor === true;
  const hasCodes = (await findSecondFactor(call, userId))?.verified === true;
  if ((hasCodes && !usedCode) || (await listPasskeys(call, userId)).length > 0)
    throw required(sessionSentences.factor_unproven());
}
