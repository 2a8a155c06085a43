import type { Db } from '../platform/database/open.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { progressOf } from './queries/pages.ts';
import * as queries from './queries/sessions.ts';
import { type Session, sessionOf } from './session.ts';

/** Returns the state of a session as callers see it (protocol 2.3). */
export async function sessionView(db: Db, orgId: string, session: Session) {
  return {
    sync_id: session.id,
    status: session.status,
    progress: session.progress ?? (await progressOf(db, orgId, session.id)),
    ...(session.error === null ? {} : { error: session.error }),
    ...(session.error?.rejected_by === undefined ? {} : { rejected_by: session.error.rejected_by }),
    ...(session.superseded_by === null ? {} : { superseded_by: session.superseded_by }),
    ...(session.held === null ? {} : { held: session.held }),
    ...(session.reverted_at === null
      ? {}
      : { reverted_at: session.reverted_at, reverted_by: session.reverted_by }),
    started_at: session.started_at,
    finished_at: session.finished_at,
    counts: session.counts,
    membership_counts: session.membership_counts,
  };
}

export type SessionView = Awaited<ReturnType<typeof sessionView>>;

/** Returns the state of the newest session of each of these apps, by app. Apps without sessions are left out. */
export async function newestSessions(
  db: Db,
  orgId: string,
  appIds: string[],
): Promise<Map<string, NewestSession>> {
  const sessions = await queries.newestSessions(db, orgId, appIds);
  return new Map(
    sessions.map(({ app_id, id, status, held, error }) => [
      app_id,
      { sync_id: id, status, held, rejected_by: error?.rejected_by ?? null },
    ]),
  );
}

type NewestSession = Pick<Session, 'status' | 'held'> & { sync_id: string; rejected_by: string | null };

/** Throws 404 for a session of another app. */
export const sessionViewOf = async (
  db: Db,
  orgId: string,
  appId: string,
  sessionId: string,
): Promise<SessionView> => sessionView(db, orgId, await sessionOf(db, orgId, appId, sessionId));

/** Lists the sessions of an app, newest first. */
export async function listSessions(
  db: Db,
  orgId: string,
  appId: string,
  page: Page,
): Promise<Slice<SessionView>> {
  const { count, results } = await queries.listSessions(db, orgId, appId, page);
  return { count, results: await Promise.all(results.map((session) => sessionView(db, orgId, session))) };
}
