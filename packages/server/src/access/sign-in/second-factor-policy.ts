import type { Principal } from '../../identity/principal.ts';
import type { Db } from '../../platform/database/open.ts';
import { DomainError } from '../../platform/errors.ts';
import { listPasskeys } from './queries/passkeys.ts';
import { findSecondFactor } from './queries/second-factors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A session whose person must set up a second factor first may call this route. */
    allowsMissingFactor?: boolean;
  }
}

const required = (message: string) =>
  new DomainError('forbidden', message, {
    issues: [{ path: '', code: 'second_factor_required', message }],
  });

/** Throws 403 for a session whose person must set up a second factor before they can do anything else. */
export function requireSecondFactor(
  { needsSecondFactor, role }: Principal,
  { allowsMissingFactor }: { allowsMissingFactor?: boolean } = {},
): void {
  if (needsSecondFactor !== true || allowsMissingFactor === true) return;
  throw required(
    `Your organization requires a second factor for the role ${role}. Set one up, or sign in with a passkey.`,
  );
}

/**
 * Throws 403 if the caller signed in with a password only, but has a second factor: a stolen password must not be
 * enough to add another one.
 */
export async function requireMayAddFactor(db: Db, principal: Principal): Promise<void> {
  const { orgId, userId, needsSecondFactor } = principal;
  if (needsSecondFactor !== true) return;
  const hasCodes = (await findSecondFactor(db, orgId, userId))?.verified === true;
  if (hasCodes || (await listPasskeys(db, orgId, userId)).length > 0)
    throw required('You already have a second factor. Confirm that it is you with it first.');
}
