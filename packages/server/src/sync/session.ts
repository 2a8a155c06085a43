import { type App, lockApp } from '../apps/apps.ts';
import { type NewEvent, recordEvents } from '../events/record.ts';
import type { Actor } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { settleEarlier } from './finish.ts';
import { publish } from './publish.ts';
import type { Session } from './queries.ts';
import * as queries from './queries.ts';

/**
 * A sync session (contract 3.1, D15, D20, D21, D24a):
 *
 *   start ──> in_progress ──complete──> completing ──> completed
 *                 │                         │  held by the guard: stays completing until it is approved
 *                 │                         └──> error   cleanup failed for good, or the removal was refused
 *                 └──abandon, or a newer start──> abandoned
 */
export interface SessionTools {
  db: Db;
  jobs: Jobs;
}

export const FINISH_JOB = 'sync.finish';

/** The state of a session as callers see it (contract 2.3, D20). */
export async function sessionView(db: Db, orgId: string, session: Session) {
  return {
    sync_id: session.id,
    status: session.status,
    progress: session.progress ?? (await queries.progressOf(db, orgId, session.id)),
    ...(session.error === null ? {} : { error: session.error }),
    ...(session.superseded_by === null ? {} : { superseded_by: session.superseded_by }),
    ...(session.held === null ? {} : { held: session.held }),
    started_at: session.started_at,
    finished_at: session.finished_at,
    counts: session.counts,
    membership_counts: session.membership_counts,
  };
}

/** 404 for a session that is not one of this app's. */
export async function sessionOf(db: Db, orgId: string, appId: string, sessionId: string): Promise<Session> {
  const session = isUuid(sessionId) ? await queries.findSession(db, orgId, appId, sessionId) : undefined;
  if (session === undefined) throw notFound('Sync session');
  return session;
}

export function refuseUnlessInProgress({ status, superseded_by }: Session) {
  if (status === 'in_progress') return;
  const reason = superseded_by === null ? '' : ' A newer session has replaced it.';
  throw invalid(`The sync session is ${status}; this needs one that is in_progress.${reason}`);
}

/** Contract 4.4: a session of the same app that is still in progress is cancelled, its pages are discarded. */
export async function startSession(
  { db }: SessionTools,
  principal: Principal,
  actor: Actor,
  app: App,
): Promise<string> {
  const { orgId } = principal;
  return transaction(db, async (tx) => {
    await queries.lockStarts(tx, orgId, app.id);
    const cancelled = await queries.cancelOpenSession(tx, orgId, app.id);
    const id = await queries.insertSession(tx, orgId, app.id);
    const events: NewEvent[] = [];
    if (cancelled !== undefined) {
      await queries.supersede(tx, orgId, cancelled, id);
      await keepProgressAndDiscard(tx, orgId, cancelled);
      events.push(
        failed(app, cancelled, 'superseded', { superseded_by: id, message: 'A newer session was started.' }),
      );
    }
    events.push({
      type: 'app.sync.started',
      actor,
      subject: { type: 'app', uuid: app.id },
      source: { type: 'api', uuid: principal.keyId },
      payload: { app_id: app.id, app_name: app.name, sync_id: id },
    });
    await recordEvents(tx, orgId, events);
    return id;
  });
}

/** Contract 4.6: cleanup goes on after the answer. Repeating it changes nothing (D20). */
export async function completeSession(
  { db, jobs }: SessionTools,
  orgId: string,
  app: App,
  sessionId: string,
): Promise<Session> {
  await sessionOf(db, orgId, app.id, sessionId);
  await transaction(db, async (tx) => {
    const session = await queries.lockSession(tx, orgId, sessionId);
    if (session === undefined) throw notFound('Sync session');
    if (session.status === 'completing' || session.status === 'completed') return;
    refuseUnlessInProgress(session);
    await queries.setCompleting(tx, orgId, sessionId);
    await jobs.send(tx, FINISH_JOB, { orgId, sessionId }, { key: sessionId });
  });
  return sessionOf(db, orgId, app.id, sessionId);
}

/** Contract 4.7: what was pushed is published before this returns; nothing is removed. */
export async function abandonSession(
  { db }: SessionTools,
  orgId: string,
  app: App,
  sessionId: string,
  actor: Actor,
): Promise<void> {
  const session = await sessionOf(db, orgId, app.id, sessionId);
  if (isAbandoned(session)) return;
  refuseUnlessInProgress(session);
  await settleEarlier(db, orgId, sessionId);
  await transaction(db, async (tx) => {
    const locked = await lockApp(tx, orgId, app.id);
    const current = await queries.lockSession(tx, orgId, sessionId);
    if (locked === undefined || current === undefined) throw notFound('Sync session');
    if (isAbandoned(current)) return;
    refuseUnlessInProgress(current);
    const { counts, memberships } = await publish(tx, orgId, locked, sessionId, 'abandon');
    await queries.setFinished(tx, orgId, sessionId, 'abandoned');
    await recordEvents(tx, orgId, [
      {
        type: 'app.sync.completed',
        actor,
        subject: { type: 'app', uuid: app.id },
        source: { type: 'sync', uuid: sessionId },
        payload: {
          app_id: app.id,
          app_name: app.name,
          sync_id: sessionId,
          outcome: 'abandoned',
          counts,
          membership_counts: memberships,
          started_at: current.started_at,
        },
      },
    ]);
  });
}

/** Abandoned by its own connector, not cancelled by a newer start. */
const isAbandoned = ({ status, superseded_by }: Session) => status === 'abandoned' && superseded_by === null;

/** Discards a session that its connector forgot (D21). */
export async function discardForgotten(db: Db): Promise<void> {
  for (const { org_id: orgId, id } of await queries.forgottenSessions(db)) {
    await transaction(db, async (tx) => {
      const app = await lockApp(tx, orgId, await queries.appOfSession(tx, orgId, id));
      const session = await queries.lockSession(tx, orgId, id);
      if (session?.status !== 'in_progress') return;
      await queries.setFinished(tx, orgId, id, 'abandoned');
      await keepProgressAndDiscard(tx, orgId, id);
      if (app === undefined) return;
      const message = 'Nothing was pushed for 7 days; what had been pushed was discarded.';
      await recordEvents(tx, orgId, [failed(app, id, 'forgotten', { message })]);
    });
  }
}

export async function keepProgressAndDiscard(tx: Tx, orgId: string, sessionId: string) {
  await queries.keepProgress(tx, orgId, sessionId, await queries.progressOf(tx, orgId, sessionId));
  await queries.discardStaged(tx, orgId, sessionId);
}

export function failed(
  app: App,
  sessionId: string,
  reason: string,
  more: { message: string; superseded_by?: string },
): NewEvent {
  return {
    type: 'app.sync.failed',
    actor: { type: 'system', uuid: null },
    subject: { type: 'app', uuid: app.id },
    source: { type: 'sync', uuid: sessionId },
    payload: { app_id: app.id, app_name: app.name, sync_id: sessionId, reason, ...more },
  };
}
