import type { ArchiveHook } from '../apps/admin.ts';
import type { NewEvent } from '../events/record.ts';
import { lockUnfinished } from './archive-queries.ts';
import * as queries from './queries.ts';
import { failed, keepProgressAndDiscard } from './session.ts';

const message = 'The app was archived.';

/** Ends what an archived app's connector has under way: nothing more is published, nothing more is removed. */
export const endSessions: ArchiveHook = async (tx, orgId, app) => {
  const events: NewEvent[] = [];
  for (const { id, status, published } of await lockUnfinished(tx, orgId, app.id)) {
    if (status === 'in_progress') await queries.setFinished(tx, orgId, id, 'abandoned');
    else await queries.setFailed(tx, orgId, id, message);
    if (!published) await keepProgressAndDiscard(tx, orgId, id);
    events.push(failed(app, id, 'app_archived', { message }));
  }
  return events;
};
