import { lockApp } from '#inventory/apps/facts.ts';
import type { Held } from '#inventory/apps/held.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { recordEvents } from '#log/events/record.ts';
import { failureSentences, recordRefusals } from '../sentences.ts';
import { heldDecided } from '../sessions/events.ts';
import { sessionOf } from '../sessions/find.ts';
import { lockSession } from '../sessions/queries/sessions.ts';
import { releaseHeld } from '../sessions/queries/transitions.ts';
import { FINISH_JOB, type Session } from '../sessions/session.ts';
import { type SessionView, sessionViewOf } from '../sessions/view.ts';
import { failSession } from './fail.ts';
import { differenceToPlan, type HeldDifference } from './plan/held.ts';

/**
 * Lets a session carry out its held removals (D24a). If they have changed since the caller read `plan`, returns the
 * difference instead. Throws 409 if it holds none.
 */
export async function approveRemoval(
  jobs: Jobs,
  call: Call,
  appId: string,
  sessionId: string,
  plan?: string,
): Promise<SessionView | { difference: HeldDifference }> {
  await sessionOf(call, appId, sessionId);
  const difference = await transaction(call, async (tx) => {
    const app = await lockApp(tx, appId);
    if (app === undefined) throw notFound('App');
    const session = await lockSession(tx, sessionId);
    if (session === undefined) throw notFound('Sync session');
    if (!isHeld(session)) throw notHeld(session.status);
    if (plan !== undefined) {
      const moved = await differenceToPlan(
        tx,
        { orgId: call.orgId, appId: app.id, sessionId: session.id },
        plan,
      );
      if (moved !== undefined) return moved;
    }
    await releaseHeld(tx, sessionId, call.cause.actor.uuid ?? null);
    await jobs.send(tx.db, FINISH_JOB, { orgId: call.orgId, sessionId }, { key: sessionId });
    await recordEvents(tx, [heldDecided('removal_guard.approved', app, sessionId, session.held, call.cause)]);
    return undefined;
  });
  return difference === undefined ? sessionViewOf(call, appId, sessionId) : { difference };
}

/** Ends a session that holds removals in error. Published records stay and nothing is removed (D24a). */
export async function rejectRemoval(call: Call, appId: string, sessionId: string): Promise<SessionView> {
  const session = await sessionOf(call, appId, sessionId);
  if (!isHeld(session)) throw notHeld(session.status);
  await failSession(call, sessionId, failureSentences.sync_removals_rejected(), { rejectedBy: call.cause });
  const view = await sessionViewOf(call, appId, sessionId);
  // Another caller may have approved the removals in the meantime.
  if (view.status !== 'error') throw notHeld(view.status);
  return view;
}

const isHeld = (session: Session | undefined): session is Session & { held: Held } =>
  session?.status === 'completing' && session.held !== null;

const notHeld = (status: string) => recordRefusals.session_holds_nothing({ status });
