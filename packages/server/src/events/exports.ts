import type { RequestCause } from '../identity/cause.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { recordEvents } from './record.ts';

/**
 * Records that somebody exports data as CSV, before the export begins. `app` is the app that it is limited to. It takes a
 * transaction, which runs on the primary even if the export reads from a replica.
 */
export const recordExport = (
  db: Db,
  orgId: string,
  what: string,
  app: string | null,
  { actor, source }: RequestCause,
): Promise<void> =>
  transaction(db, (tx) =>
    recordEvents(tx, orgId, [
      {
        type: 'export.created',
        actor,
        subject: app === null ? { type: 'system', uuid: orgId } : { type: 'app', uuid: app.toLowerCase() },
        source,
        payload: { what, format: 'csv' },
      },
    ]),
  );
