import { createHash, randomUUIDv7 } from 'node:crypto';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { tasksByIds } from '../provisioning/find.ts';
import { attachmentAdded } from './events.ts';
import { lockAssignments } from './queries/assignments.ts';
import * as queries from './queries/attachments.ts';
import { requireAssignee } from './report.ts';

export type { Attachment } from './queries/attachments.ts';
export { listAttachments as attachmentsOf } from './queries/attachments.ts';

export const LARGEST_FILE_BYTES = 10 * 1024 * 1024;
const MOST_FILES = 10;
const CHUNK_BYTES = 256 * 1024;
const KEPT_DAYS = 365;
const BATCH = 100;

/** Attaches a file to a pending task. Throws 409 unless the caller is its assignee, or if it has enough files. */
export async function addAttachment(
  db: Db,
  { orgId, userId }: Principal,
  taskId: string,
  { name, bytes }: { name: string; bytes: Buffer },
  cause: RequestCause,
): Promise<queries.Attachment> {
  if (bytes.length === 0) throw invalid('The file is empty. Choose another file.');
  const id = randomUUIDv7();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { id, taskId, name, size: bytes.length, sha256, by: userId };
  await transaction(db, async (tx) => {
    const [assignment] = await lockAssignments(tx, orgId, [taskId]);
    const [task] = await tasksByIds(tx, orgId, [taskId]);
    if (assignment === undefined || task === undefined) throw notFound('Task');
    if (task.status !== 'pending') throw conflict('Files can be attached only while the task is open.');
    requireAssignee(assignment, task.user_id, userId);
    if ((await queries.listAttachments(tx, orgId, taskId)).length >= MOST_FILES)
      throw conflict(`A task can have ${MOST_FILES} attachments. Combine several files into one.`);
    await queries.insertAttachment(tx, orgId, file);
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
      await queries.insertChunk(
        tx,
        orgId,
        id,
        start / CHUNK_BYTES,
        bytes.subarray(start, start + CHUNK_BYTES),
      );
    await recordEvents(tx, orgId, [attachmentAdded(task, file, cause)]);
  });
  return attachmentOf(db, orgId, taskId, id);
}

/** Throws 404 for an attachment that the task does not have. */
export async function attachmentOf(
  db: Db,
  orgId: string,
  taskId: string,
  id: string,
): Promise<queries.Attachment> {
  const found = isUuid(id) ? await queries.findAttachment(db, orgId, taskId, id) : undefined;
  if (found === undefined) throw notFound('Attachment');
  return found;
}

/** Yields the content of an attachment. */
export async function* contentOf(db: Db, orgId: string, { id }: queries.Attachment): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const bytes = await queries.findChunk(db, orgId, id, position);
    if (bytes === undefined) return;
    yield bytes;
  }
}

export function defineFulfilmentJobs(db: Db, jobs: Jobs) {
  jobs.define({
    name: 'fulfilment.delete-attachments',
    attempts: 1,
    cron: '23 3 * * *',
    work: () => deleteExpiredAttachments(db),
  });
}

/** Deletes attachments a year after their upload. */
export async function deleteExpiredAttachments(db: Db): Promise<void> {
  for (const orgId of await queries.organizationsWithExpired(db, KEPT_DAYS)) {
    let deleted: number;
    do deleted = await transaction(db, (tx) => queries.deleteExpired(tx, orgId, KEPT_DAYS, BATCH));
    while (deleted === BATCH);
  }
}
