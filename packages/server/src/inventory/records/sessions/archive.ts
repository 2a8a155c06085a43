import type { ArchiveHook } from '#inventory/apps/admin.ts';
import type { NewEvent } from '#log/events/record.ts';
import { failureSentences } from '../sentences.ts';
import { discardSession } from './discard.ts';
import { sessionDiscarded } from './events.ts';
import { lockUnfinished } from './queries/sessions.ts';
import { setFailed, setFinished } from './queries/transitions.ts';

const why = failureSentences.sync_app_archived();

/** Ends the unfinished sessions of an archived app. They publish and remove nothing more. */
export const endSessions: ArchiveHook = async (tx, app) => {
  const events: NewEvent[] = [];
  for (const { id, status, published_at } of await lockUnfinished(tx, app.id)) {
    if (status === 'in_progress') await setFinished(tx, id, 'abandoned');
    else await setFailed(tx, id, why);
    if (published_at === null) await discardSession(tx, id);
    events.push(sessionDiscarded(app, id, 'app_archived', { message: why.text }));
  }
  return events;
};
