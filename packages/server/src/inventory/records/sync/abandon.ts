import type { App } from '#inventory/apps/app.ts';
import { lockApp } from '#inventory/apps/facts.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { finishEarlier } from '../publication/finish.ts';
import { publish } from '../publication/publish.ts';
import { requireInProgress } from '../sessions/clients.ts';
import { sessionAbandoned } from '../sessions/events.ts';
import { sessionOf } from '../sessions/find.ts';
import { lockSession } from '../sessions/queries/sessions.ts';
import { setFinished } from '../sessions/queries/transitions.ts';
import type { Session } from '../sessions/session.ts';

/** Ends a session early: publishes its pushed records before it returns and removes nothing. */
export async function abandonSession(call: Call, app: App, sessionId: string): Promise<void> {
  const { principal } = call;
  const session = await sessionOf(call, app.id, sessionId);
  if (isAbandoned(session)) return;
  await requireInProgress(call, session, principal);
  await finishEarlier(call, sessionId);
  await transaction(call, async (tx) => {
    const locked = await lockApp(tx, app.id);
    const current = await lockSession(tx, sessionId);
    if (locked === undefined || current === undefined) throw notFound('Sync session');
    if (isAbandoned(current)) return;
    await requireInProgress(tx, current, principal);
    const published = await publish(tx, locked, current, 'abandon');
    await setFinished(tx, sessionId, 'abandoned');
    await recordEvents(tx, [sessionAbandoned(app, current, published, call.cause.actor)]);
  });
}

/** True if the connector abandoned the session. A session that a newer start canceled has the same status. */
const isAbandoned = ({ status, superseded_by }: Session) => status === 'abandoned' && superseded_by === null;
