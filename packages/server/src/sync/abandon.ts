import { type App, lockApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import type { Actor } from '../identity/cause.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/errors.ts';
import { sessionAbandoned } from './events.ts';
import { finishEarlier } from './finish.ts';
import { publish } from './publish/publish.ts';
import { lockSession } from './queries/sessions.ts';
import { setFinished } from './queries/transitions.ts';
import { requireInProgress, type Session, type SessionTools, sessionOf } from './session.ts';

/** Ends a session early: publishes its pushed records before it returns and removes nothing. */
export async function abandonSession(
  tools: SessionTools,
  orgId: string,
  app: App,
  sessionId: string,
  actor: Actor,
): Promise<void> {
  const session = await sessionOf(tools.db, orgId, app.id, sessionId);
  if (isAbandoned(session)) return;
  requireInProgress(session);
  await finishEarlier(tools, orgId, sessionId);
  await transaction(tools.db, async (tx) => {
    const locked = await lockApp(tx, orgId, app.id);
    const current = await lockSession(tx, orgId, sessionId);
    if (locked === undefined || current === undefined) throw notFound('Sync session');
    if (isAbandoned(current)) return;
    requireInProgress(current);
    const published = await publish(tx, orgId, locked, current, 'abandon', tools.onNoLongerAwaited);
    await setFinished(tx, orgId, sessionId, 'abandoned');
    await recordEvents(tx, orgId, [sessionAbandoned(app, current, published, actor)]);
  });
}

/** True if the connector abandoned the session. A session that a newer start cancelled has the same status. */
const isAbandoned = ({ status, superseded_by }: Session) => status === 'abandoned' && superseded_by === null;
