import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { isUuid } from '#kit/ids.ts';
import { findSession } from './queries/sessions.ts';
import type { Session } from './session.ts';

/** Throws 404 for a session of another app. */
export async function sessionOf(db: OrgDb, appId: string, sessionId: string): Promise<Session> {
  const session = isUuid(sessionId) ? await findSession(db, appId, sessionId) : undefined;
  if (session === undefined) throw notFound('Sync session');
  return session;
}
