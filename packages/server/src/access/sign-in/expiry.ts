import { type NewEvent, recordEvents } from '../../events/record.ts';
import { SYSTEM } from '../../identity/cause.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { deleteOldAttempts } from './queries/attempts.ts';
import { deleteExpiredVerifications } from './queries/passwords.ts';
import * as queries from './queries/sessions.ts';

const EXPIRED_AT_ONCE = 500;

/** Deletes expired sessions, each with its `session.expired`, and expired links and attempts. Runs as a job. */
export async function expireSessions(db: Db, windowSeconds: number): Promise<void> {
  for (const orgId of await queries.organizationsWithExpired(db)) {
    let found: number;
    do {
      found = await transaction(db, async (tx) => {
        const expired = await queries.deleteExpired(tx, orgId, EXPIRED_AT_ONCE);
        const signedIn = expired.filter(({ signed_in_at }) => signed_in_at !== null);
        await recordEvents(tx, orgId, signedIn.map(sessionExpired));
        return expired.length;
      });
    } while (found === EXPIRED_AT_ONCE);
  }
  await deleteExpiredVerifications(db);
  await deleteOldAttempts(db, windowSeconds);
}

const sessionExpired = (session: queries.EndedSession): NewEvent => {
  const { id, user_id, email, method, signed_in_at, expires_at } = session;
  return {
    type: 'session.expired',
    occurredAt: expires_at,
    actor: SYSTEM,
    subject: { type: 'platform_user', uuid: user_id },
    source: { type: 'system', uuid: null },
    payload: {
      user_id,
      email,
      session_id: id,
      ...(method === null ? {} : { method }),
      started_at: signed_in_at.toISOString(),
      expired_at: expires_at.toISOString(),
    },
  };
};
