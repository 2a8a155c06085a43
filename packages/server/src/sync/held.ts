import { lockApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { heldDecided } from './events.ts';
import { failSession } from './fail.ts';
import { differenceToPlan, type HeldDifference } from './plan/held.ts';
import { lockSession } from './queries/sessions.ts';
import { releaseHeld } from './queries/transitions.ts';
import { FINISH_JOB, type Held, type SendingTools, type Session, sessionOf } from './session.ts';
import { type SessionView, sessionViewOf } from './view.ts';

/**
 * Lets a session carry out its held removals (D24a). If they have changed since the caller read `plan`, returns the
 * difference instead. Throws 409 if it holds none.
 */
export async function approveRemoval(
  { db, jobs }: SendingTools,
  orgId: string,
  appId: string,
  sessionId: string,
  cause: RequestCause,
  plan?: string,
): Promise<SessionView | { difference: HeldDifference }> {
  await sessionOf(db, orgId, appId, sessionId);
  const difference = await transaction(db, async (tx) => {
    const app = await lockApp(tx, orgId, appId);
    if (app === undefined) throw notFound('App');
    const session = await lockSession(tx, orgId, sessionId);
    if (!isHeld(session)) throw notHeld(session?.status);
    if (plan !== undefined) {
      const moved = await differenceToPlan(tx, { orgId, appId: app.id, sessionId: session.id }, plan);
      if (moved !== undefined) return moved;
    }
    await releaseHeld(tx, orgId, sessionId, cause.actor.uuid ?? null);
    await jobs.send(tx, FINISH_JOB, { orgId, sessionId }, { key: sessionId });
    await recordEvents(tx, orgId, [
      heldDecided('removal_guard.approved', app, sessionId, session.held, cause),
    ]);
    return undefined;
  });
  return difference === undefined ? sessionViewOf(db, orgId, appId, sessionId) : { difference };
}

/** Ends a session that holds removals in error. Published records stay and nothing is removed (D24a). */
export async function rejectRemoval(
  db: Db,
  orgId: string,
  appId: string,
  sessionId: string,
  cause: RequestCause,
): Promise<SessionView> {
  const session = await sessionOf(db, orgId, appId, sessionId);
  if (!isHeld(session)) throw notHeld(session.status);
  const message = 'The removals were held for approval and rejected. Nothing was removed.';
  await failSession(db, orgId, sessionId, message, { rejectedBy: cause });
  const view = await sessionViewOf(db, orgId, appId, sessionId);
  // Another caller may have approved the removals in the meantime.
  if (view.status !== 'error') throw notHeld(view.status);
  return view;
}

const isHeld = (session: Session | undefined): session is Session & { held: Held } =>
  session?.status === 'completing' && session.held !== null;

const notHeld = (status: string | undefined) =>
  conflict(`The sync session is ${status}; it holds no removals for approval.`);
