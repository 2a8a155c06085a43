import type { OrgDb } from '../../../kit/database/organization.ts';
import { transaction } from '../../../kit/database/transaction.ts';
import { notFound } from '../../../kit/errors.ts';
import type { Actor } from '../../../kit/identity/cause.ts';
import { recordEvents } from '../../../log/events/record.ts';
import type { App } from '../../apps/app.ts';
import { lockApp } from '../../apps/facts.ts';
import { finishEarlier } from '../publication/finish.ts';
import { publish } from '../publication/publish.ts';
import { sessionAbandoned } from './events.ts';
import { sessionOf } from './find.ts';
import { lockSession } from './queries/sessions.ts';
import { setFinished } from './queries/transitions.ts';
import { requireInProgress, type Session } from './session.ts';

/** Ends a session early: publishes its pushed records before it returns and removes nothing. */
export async function abandonSession(org: OrgDb, app: App, sessionId: string, actor: Actor): Promise<void> {
  const session = await sessionOf(org, app.id, sessionId);
  if (isAbandoned(session)) return;
  requireInProgress(session);
  await finishEarlier(org, sessionId);
  await transaction(org, async (tx) => {
    const locked = await lockApp(tx, app.id);
    const current = await lockSession(tx, sessionId);
    if (locked === undefined || current === undefined) throw notFound('Sync session');
    if (isAbandoned(current)) return;
    requireInProgress(current);
    const published = await publish(tx, locked, current, 'abandon');
    await setFinished(tx, sessionId, 'abandoned');
    await recordEvents(tx, [sessionAbandoned(app, current, published, actor)]);
  });
}

/** True if the connector abandoned the session. A session that a newer start canceled has the same status. */
const isAbandoned = ({ status, superseded_by }: Session) => status === 'abandoned' && superseded_by === null;
