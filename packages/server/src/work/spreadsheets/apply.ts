import type { App } from '#inventory/apps/app.ts';
import { findApp } from '#inventory/apps/facts.ts';
import { supersession } from '#inventory/records/sessions/clients.ts';
import { cancelSession } from '#inventory/records/sessions/discard.ts';
import { sessionViewOf } from '#inventory/records/sessions/view.ts';
import { completeSession } from '#inventory/records/sync/complete.ts';
import { type Db, hookPoint, type OrgDb, transaction, within } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { BY_THE_CLOCK, type Call, type Cause } from '#kit/identity.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { recordEvents } from '#log/events/record.ts';
import { spreadsheetEvent } from './events.ts';
import { uploadOf } from './find.ts';
import type { Mapping } from './mapping.ts';
import * as queries from './queries/uploads.ts';
import { requireConfirmed } from './remarks.ts';
import { uploadRefusals } from './sentences.ts';
import type { Target, Upload } from './upload.ts';

/** Runs before the first sync of an app, if that is an upload. */
export type UploadHook = (call: Call, app: App) => Promise<void>;

export const firstUploadHooks = hookPoint<UploadHook>();

/**
 * Completes the session of an app's upload, and keeps the mapping for the next one. Repeating the call changes nothing. `confirmed` are
 * the codes of remarks. Throws 409 if one is missing that needs a confirmation.
 */
export async function applyUpload(
  jobs: Jobs,
  call: Call,
  app: App,
  { id, confirmed }: { id: string; confirmed: readonly string[] },
): Promise<Upload> {
  const upload = await uploadOf(call, app, id);
  if (upload.status === 'applied') return upload;
  requirePlanned(upload);
  requireConfirmed(upload.remarks, confirmed);
  const syncId = upload.sync_id as string;
  const { status } = await sessionViewOf(call, app.id, syncId);
  if (status === 'abandoned' || status === 'error') {
    const who = await supersession(call, syncId, call.principal);
    throw who === undefined ? uploadRefusals.upload_replaced() : uploadRefusals.upload_replaced_by({ who });
  }
  if (app.last_synced_at === null) for (const hook of firstUploadHooks.of(call)) await hook(call, app);
  await completeSession(jobs, call, app, syncId);
  return endUpload(call, app, upload, call.cause, { status: 'applied' });
}

export function requirePlanned({ status }: Upload) {
  if (status !== 'planned') throw uploadRefusals.upload_not_planned({ status });
}

/** Ends the upload and deletes its file. */
export async function endUpload(
  db: OrgDb,
  target: Target,
  { id }: Upload,
  cause: Cause,
  { status, result = null }: { status: 'applied' | 'discarded'; result?: unknown },
): Promise<Upload> {
  return transaction(db, async (tx) => {
    const upload = await queries.lockUpload(tx, id);
    if (upload === undefined || upload.status === 'applied' || upload.status === 'discarded')
      return uploadOf(tx, target, id);
    if (status === 'applied')
      await queries.saveMapping(tx, target?.id ?? db.orgId, id, {
        mapping: upload.mapping as Mapping,
        headers: upload.content.columns.map(({ name }) => name),
      });
    await queries.setEnded(tx, id, status, result);
    await recordEvents(tx, [spreadsheetEvent(`spreadsheet.${status}`, db, target, upload, cause)]);
    return uploadOf(tx, target, id);
  });
}

/** Discards an upload and its session. Nothing of it is published. An applied upload cannot be discarded. */
export async function discardUpload(db: OrgDb, target: Target, id: string, cause: Cause): Promise<void> {
  const upload = await uploadOf(db, target, id);
  if (upload.status === 'applied') throw uploadRefusals.upload_applied();
  await discardPlan(db, target, upload);
  if (target !== null && upload.sync_id !== null) {
    // Somebody else may have applied it at the same time.
    const { status } = await sessionViewOf(db, target.id, upload.sync_id);
    if (status === 'completing' || status === 'completed') throw uploadRefusals.upload_applied();
  }
  await endUpload(db, target, upload, cause, { status: 'discarded' });
}

/** Somebody decided against the upload, so nothing failed. */
export const DISCARDED = { reason: 'discarded', message: 'The upload was discarded.' } as const;

/** Ends the session of a plan that will not be applied. Does nothing to a session that is being published. */
export async function discardPlan(db: OrgDb, target: Target, { sync_id }: Upload): Promise<void> {
  if (target !== null && sync_id !== null) await cancelSession(db, target, sync_id, DISCARDED);
}

/** Deletes uploads after a day. Those that nobody applied are discarded. An error in one does not keep the others. */
export async function deleteOldUploads(db: Db): Promise<void> {
  const errors: unknown[] = [];
  for (const { org_id: orgId, id } of await queries.oldUploads(db))
    await deleteOldUpload(within(db, orgId), id).catch((error: unknown) => errors.push(error));
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} old uploads could not be deleted.`);
}

async function deleteOldUpload(db: OrgDb, id: string): Promise<void> {
  const upload = await transaction(db, (tx) => queries.lockUpload(tx, id));
  if (upload === undefined) return;
  const target = upload.app_id === null ? null : ((await findApp(db, upload.app_id)) ?? null);
  const isOpen = !['receiving', 'applied', 'discarded'].includes(upload.status);
  const isOrphan = upload.app_id !== null && target === null;
  if (isOpen && !isOrphan)
    await discardUpload(db, target, id, BY_THE_CLOCK).catch((error: unknown) => {
      // A process that died while it applied the upload left it planned.
      if (!(error instanceof DomainError && error.code === 'conflict')) throw error;
    });
  await transaction(db, (tx) => queries.deleteUpload(tx, id));
}
