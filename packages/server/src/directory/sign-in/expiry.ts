import { type Db, transaction, within } from '#kit/database.ts';
import { SYSTEM } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { deleteExpiredVerifications } from './credentials/queries/passwords.ts';
import * as queries from './sessions/queries/sessions.ts';
import { deleteOldAttempts } from './visit/queries/attempts.ts';

const EXPIRED_AT_ONCE = 500;

/** Deletes expired sessions, each with its `session.expired`, and expired links and attempts. Runs as a job. */
export async function expireSessions(db: Db, windowSeconds: number): Promise<void> {
  for (const orgId of await queries.organizationsWithExpired(db)) {
    let found: number;
    do {
      found = await transaction(within(db, orgId), async (tx) => {
        const expired = await queries.deleteExpired(tx, EXPIRED_AT_ONCE);
        const events = expired.flatMap((session) =>
          session.signed_in_at === null ? [] : sessionExpired(session, session.signed_in_at),
        );
        await recordEvents(tx, events);
        return expired.length;
      });
    } while (found === EXPIRED_AT_ONCE);
  }
  await deleteExpiredVerifications(db);
  await deleteOldAttempts(db, windowSeconds);
}

const sessionExpired = (session: queries.EndedSession, signedInAt: Date): NewEvent => {
  const { id, user_id, email, method, expires_at } = session;
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
      started_at: signedInAt.toISOString(),
      expired_at: expires_at.toISOString(),
    },
  };
};
