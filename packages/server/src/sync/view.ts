import { listApps } from '../apps/apps.ts';
import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
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
    ...(session.approved_by === null ? {} : { approved_by: session.approved_by }),
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

const RECENT_APPS = 50;
const RECENT_SESSIONS = 20;

/** Returns the newest sessions of each of these apps, for a picture of how syncs go. Apps without sessions have none. */
export async function recentSessions(db: Db, principal: Principal, appIds: string | null) {
  const wanted = appIds === null ? await firstApps(db, principal) : namedApps(principal, appIds);
  const sessions = await queries.recentSessions(db, principal.orgId, wanted, RECENT_SESSIONS);
  const byApp = Map.groupBy(sessions, ({ app_id }) => app_id);
  return wanted.map((app_id) => ({
    app_id,
    syncs: (byApp.get(app_id) ?? []).map(({ id, status, started_at, finished_at, ...session }) => ({
      sync_id: id,
      status,
      held: session.held !== null,
      rejected: session.rejected_by !== null,
      records: session.progress?.reduce((sum, { synced_count }) => sum + synced_count, 0) ?? null,
      started_at,
      finished_at,
    })),
  }));
}

async function firstApps(db: Db, principal: Principal): Promise<string[]> {
  const { results } = await listApps(db, principal, { limit: RECENT_APPS, offset: 0 });
  return results.map(({ id }) => id);
}

function namedApps(principal: Principal, appIds: string): string[] {
  const wanted = [...new Set(appIds.toLowerCase().split(','))];
  if (wanted.length > RECENT_APPS)
    throw invalid(`app_ids has more than ${RECENT_APPS} apps. Name fewer apps.`);
  if (!wanted.every(isUuid)) throw invalid('app_ids must be a comma-separated list of UUIDs.');
  if (!wanted.every((id) => mayTouchApp(principal, id)))
    throw forbidden('This key does not have access to one of these apps.');
  return wanted;
}

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
