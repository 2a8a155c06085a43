import { listApps } from '#inventory/apps/apps.ts';
import type { Unseen } from '#inventory/apps/unseen.ts';
import type { OrgDb } from '#kit/database.ts';
import { type Call, mayTouchApp, type Principal } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordRefusals } from '../sentences.ts';
import { type Clients, clientsOf } from './clients.ts';
import { sessionOf } from './find.ts';
import { progressOf } from './queries/pages.ts';
import * as queries from './queries/sessions.ts';
import { readReport } from './queries/unseen.ts';
import type { Session } from './session.ts';

/** Returns the state of a session as callers see it (protocol 2.3). */
export async function sessionView(db: OrgDb, session: Session) {
  return {
    sync_id: session.id,
    status: session.status,
    progress: session.progress ?? (await progressOf(db, session.id)),
    ...(session.error === null ? {} : { error: session.error }),
    ...(session.error?.rejected_by === undefined ? {} : { rejected_by: session.error.rejected_by }),
    ...(session.approved_by === null ? {} : { approved_by: session.approved_by }),
    ...(session.superseded_by === null ? {} : { superseded_by: session.superseded_by }),
    ...(session.held === null ? {} : { held: session.held }),
    ...(session.status_counts?.withheld ? { withheld: { accounts: session.status_counts.withheld } } : {}),
    ...(session.reverted_at === null
      ? {}
      : {
          reverted_at: session.reverted_at,
          reverted_by: session.reverted_by,
          reverted_reason: session.reverted_reason,
        }),
    ...(session.connector_run_id === null ? {} : { run_id: session.connector_run_id }),
    started_at: session.started_at,
    finished_at: session.finished_at,
    counts: session.counts,
    membership_counts: session.membership_counts,
    ...(session.unseen_counts === null ? {} : { unseen_counts: session.unseen_counts }),
  };
}

/** The clients of a session, as administrators see them. */
function clientsView(clients: Clients | undefined) {
  if (clients === undefined) return {};
  const { client, superseded, discards } = clients;
  return {
    ...(client === null ? {} : { client }),
    ...(superseded?.by ? { superseded_by_client: superseded.by } : {}),
    ...(discards === null
      ? {}
      : { superseded_in_row: { count: discards.count, since: new Date(discards.since) } }),
  };
}

export type SessionView = Awaited<ReturnType<typeof sessionView>> &
  ReturnType<typeof clientsView> & { unseen?: Unseen[] };

/** Returns the state of the newest session of each of these apps, by app. Apps without sessions are left out. */
export async function newestSessions(db: OrgDb, appIds: string[]): Promise<Map<string, NewestSession>> {
  const sessions = await queries.newestSessions(db, appIds);
  const overdue = new Set(await queries.overdueApps(db, appIds));
  return new Map(
    sessions.map(({ app_id, id, status, held, error }) => [
      app_id,
      {
        sync_id: id,
        status,
        held,
        rejected_by: error?.rejected_by ?? null,
        ...(overdue.has(app_id) && { overdue: true as const }),
      },
    ]),
  );
}

interface NewestSession extends Pick<Session, 'status' | 'held'> {
  sync_id: string;
  rejected_by: string | null;
  overdue?: true;
}

const RECENT_APPS = 50;
const RECENT_SESSIONS = 20;

/** Returns the newest sessions of each of these apps, for a picture of how syncs go. Apps without sessions have none. */
export async function recentSessions(call: Call, appIds: string | null) {
  const wanted = appIds === null ? await firstApps(call) : namedApps(call.principal, appIds);
  const sessions = await queries.recentSessions(call, wanted, RECENT_SESSIONS);
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

async function firstApps(call: Call): Promise<string[]> {
  const { results } = await listApps(call, { limit: RECENT_APPS, offset: 0 });
  return results.map(({ id }) => id);
}

function namedApps(principal: Principal, appIds: string): string[] {
  const wanted = [...new Set(appIds.toLowerCase().split(','))];
  if (wanted.length > RECENT_APPS) throw recordRefusals.too_many_app_ids({ recent_apps: RECENT_APPS });
  if (!wanted.every(isUuid)) throw recordRefusals.app_ids_malformed();
  if (!wanted.every((id) => mayTouchApp(principal, id))) throw recordRefusals.key_without_one_app();
  return wanted;
}

/** Returns the state of a session with what its connector could not see. Lists leave it out, because it can be long. */
export const detailedView = async (db: OrgDb, session: Session): Promise<SessionView> => ({
  ...(await sessionView(db, session)),
  ...(session.unseen_counts === null ? {} : { unseen: await readReport(db, session.id) }),
});

/** Throws 404 for a session of another app. */
export const sessionViewOf = async (db: OrgDb, appId: string, sessionId: string): Promise<SessionView> =>
  detailedView(db, await sessionOf(db, appId, sessionId));

/** Returns the same with the clients of the session. */
export async function adminSessionView(call: Call, session: Session): Promise<SessionView> {
  const clients = await clientsOf(call, [session.id], call.principal);
  return { ...(await detailedView(call, session)), ...clientsView(clients.get(session.id)) };
}

/** Lists the sessions of an app with their clients, newest first. */
export async function listSessions(call: Call, appId: string, page: Page): Promise<Slice<SessionView>> {
  const { count, results } = await queries.listSessions(call, appId, page);
  const clients = await clientsOf(
    call,
    results.map(({ id }) => id),
    call.principal,
  );
  const viewOf = async (session: Session) => ({
    ...(await sessionView(call, session)),
    ...clientsView(clients.get(session.id)),
  });
  return { count, results: await Promise.all(results.map(viewOf)) };
}
