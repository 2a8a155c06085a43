import type { Org } from '#kit/database.ts';
import type { RequestCause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Target, Upload } from './upload.ts';

/** The event of an upload, about its app, or about the organization for people. */
export const spreadsheetEvent = (
  type: 'spreadsheet.uploaded' | 'spreadsheet.applied' | 'spreadsheet.discarded',
  org: Org,
  target: Target,
  upload: Upload,
  { actor, source }: Pick<RequestCause, 'actor'> & { source: NewEvent['source'] },
): NewEvent =>
  ({
    type,
    actor,
    subject: target === null ? { type: 'system', uuid: org.orgId } : { type: 'app', uuid: target.id },
    source,
    payload: {
      upload_id: upload.id,
      app_id: target?.id ?? null,
      app_name: target?.name ?? null,
      file_name: upload.file_name,
      bytes: upload.bytes,
      sha256: upload.sha256,
      rows: upload.rows,
      sync_id: upload.sync_id,
    },
  }) as NewEvent;
