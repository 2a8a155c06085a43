import type { OrgDb } from '../../kit/database/organization.ts';
import { transaction } from '../../kit/database/transaction.ts';
import type { RequestCause } from '../../kit/identity/cause.ts';
import { recordEvents } from './record.ts';

/**
 * Records that somebody exports data as CSV, before the export begins. `app` is the app that it is limited to. It takes a
 * transaction, which runs on the primary even if the export reads from a replica.
 */
export const recordExport = (
  db: OrgDb,
  what: string,
  app: string | null,
  { actor, source }: RequestCause,
): Promise<void> =>
  transaction(db, (tx) =>
    recordEvents(tx, [
      {
        type: 'export.created',
        actor,
        subject: app === null ? { type: 'system', uuid: db.orgId } : { type: 'app', uuid: app.toLowerCase() },
        source,
        payload: { what, format: 'csv' },
      },
    ]),
  );
