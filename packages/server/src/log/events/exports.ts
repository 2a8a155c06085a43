import { transaction } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import { recordEvents } from './record.ts';

/**
 * Records that somebody exports data as CSV, before the export begins. `app` is the app that it is limited to. It takes a
 * transaction, which runs on the primary even if the export reads from a replica.
 */
export const recordExport = (call: Call, what: string, app: string | null): Promise<void> =>
  transaction(call, (tx) =>
    recordEvents(tx, [
      {
        type: 'export.created',
        actor: call.cause.actor,
        subject:
          app === null ? { type: 'system', uuid: call.orgId } : { type: 'app', uuid: app.toLowerCase() },
        source: call.cause.source,
        payload: { what, format: 'csv' },
      },
    ]),
  );
