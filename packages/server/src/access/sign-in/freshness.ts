import type { Principal } from '../../identity/principal.ts';
import type { Db } from '../../platform/database/open.ts';
import { DomainError } from '../../platform/errors.ts';
import { isFresh } from './queries/sessions.ts';

/** A stranger at an unlocked computer must not be able to change how its person signs in. */
const FRESH_MINUTES = 15;

/**
 * Throws 403 unless the caller signed in, or confirmed who they are, within the last 15 minutes. The error's code tells
 * the console to ask for a confirmation and to repeat the request.
 */
export async function requireFreshSignIn(db: Db, { orgId, sessionId }: Principal): Promise<void> {
  if (await isFresh(db, orgId, sessionId as string, FRESH_MINUTES * 60)) return;
  const message = `You signed in more than ${FRESH_MINUTES} minutes ago. Confirm that it is you, then try again.`;
  throw new DomainError('forbidden', message, {
    issues: [{ path: '', code: 'confirmation_required', message }],
  });
}
