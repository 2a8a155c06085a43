import { type App, findApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import { BY_THE_CLOCK, type Cause, type RequestCause } from '../identity/cause.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, DomainError } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { completeSession } from '../sync/complete.ts';
import { cancelSession } from '../sync/discard.ts';
import { sessionViewOf } from '../sync/view.ts';
import { spreadsheetEvent } from './events.ts';
import type { Mapping } from './mapping.ts';
import * as queries from './queries.ts';
import { type Target, type Upload, uploadOf } from './upload.ts';

/** Completes the session of an app's upload, and keeps the mapping for the next one. Repeating the call changes nothing. */
export async function applyUpload(
  tools: { db: Db; jobs: Jobs },
  orgId: string,
  cause: RequestCause,
  app: App,
  id: string,
): Promise<Upload> {
  const upload = await uploadOf(tools.db, orgId, app, id);
  if (upload.status === 'applied') return upload;
  requirePlanned(upload);
  const syncId = upload.sync_id as string;
  const { status } = await sessionViewOf(tools.db, orgId, app.id, syncId);
  if (status === 'abandoned' || status === 'error')
    throw conflict('A newer sync of the app has replaced this plan. Check the rows again.');
  await completeSession(tools, orgId, app, syncId);
  return endUpload(tools.db, orgId, app, upload, cause, 'applied');
}

export function requirePlanned({ status }: Upload) {
  if (status !== 'planned')
    throw conflict(`The upload is ${status}. Check its rows first, until it is planned.`);
}

/** Ends the upload and deletes its file. */
export async function endUpload(
  db: Db,
  orgId: string,
  target: Target,
  { id }: Upload,
  cause: Cause,
  status: 'applied' | 'discarded',
  result: unknown = null,
): Promise<Upload> {
  return transaction(db, async (tx) => {
    const upload = await queries.lockUpload(tx, orgId, id);
    if (upload === undefined || upload.status === 'applied' || upload.status === 'discarded')
      return uploadOf(tx, orgId, target, id);
    await queries.setEnded(tx, orgId, id, status, result);
    if (status === 'applied')
      await queries.saveMapping(tx, orgId, target?.id ?? orgId, {
        mapping: upload.mapping as Mapping,
        headers: upload.content.columns.map(({ name }) => name),
      });
    await recordEvents(tx, orgId, [spreadsheetEvent(`spreadsheet.${status}`, orgId, target, upload, cause)]);
    return uploadOf(tx, orgId, target, id);
  });
}

const APPLIED = 'The upload was applied. Revert its sync instead.';

/** Discards an upload and its session. Nothing of it is published. An applied upload cannot be discarded. */
export async function discardUpload(
  db: Db,
  orgId: string,
  target: Target,
  id: string,
  cause: Cause,
): Promise<void> {
  const upload = await uploadOf(db, orgId, target, id);
  if (upload.status === 'applied') throw conflict(APPLIED);
  await discardPlan(db, orgId, target, upload);
  if (target !== null && upload.sync_id !== null) {
    // Somebody else may have applied it at the same time.
    const { status } = await sessionViewOf(db, orgId, target.id, upload.sync_id);
    if (status === 'completing' || status === 'completed') throw conflict(APPLIED);
  }
  await endUpload(db, orgId, target, upload, cause, 'discarded');
}

/** Ends the session of a plan that will not be applied. Does nothing to a session that is being published. */
export async function discardPlan(db: Db, orgId: string, target: Target, { sync_id }: Upload): Promise<void> {
  if (target !== null && sync_id !== null)
    await cancelSession(db, orgId, target, sync_id, 'The upload was discarded.');
}

/** Deletes uploads after a day. Those that nobody applied are discarded. An error in one does not keep the others. */
export async function deleteOldUploads(db: Db): Promise<void> {
  const errors: unknown[] = [];
  for (const { org_id: orgId, id } of await queries.oldUploads(db))
    await deleteOldUpload(db, orgId, id).catch((error: unknown) => errors.push(error));
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} old uploads could not be deleted.`);
}

async function deleteOldUpload(db: Db, orgId: string, id: string): Promise<void> {
  const upload = await transaction(db, (tx) => queries.lockUpload(tx, orgId, id));
  if (upload === undefined) return;
  const target = upload.app_id === null ? null : ((await findApp(db, orgId, upload.app_id)) ?? null);
  const isOpen = !['receiving', 'applied', 'discarded'].includes(upload.status);
  const isOrphan = upload.app_id !== null && target === null;
  if (isOpen && !isOrphan)
    await discardUpload(db, orgId, target, id, BY_THE_CLOCK).catch((error: unknown) => {
      // A process that died while it applied the upload left it planned.
      if (!(error instanceof DomainError && error.code === 'conflict')) throw error;
    });
  await transaction(db, (tx) => queries.deleteUpload(tx, orgId, id));
}
