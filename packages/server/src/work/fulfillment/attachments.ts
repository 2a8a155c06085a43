import { createHash, randomUUIDv7 } from 'node:crypto';
import { type Db, type OrgDb, transaction, within } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { recordEvents } from '#log/events/record.ts';
import { tasksById } from '#work/provisioning/find.ts';
import { attachmentAdded } from './events.ts';
import { tasksVisibleTo } from './facts.ts';
import { lockAssignments } from './queries/assignments.ts';
import * as queries from './queries/attachments.ts';
import { requireAssignee } from './report.ts';
import { fulfillmentRefusals } from './sentences.ts';

export const LARGEST_FILE_BYTES = 10 * 1024 * 1024;
const MOST_FILES = 10;
const CHUNK_BYTES = 256 * 1024;
const KEPT_DAYS = 365;
const BATCH = 100;

/** Attaches a file to a pending task. Throws 409 unless the caller is its assignee, or if it has enough files. */
export async function addAttachment(
  call: Call,
  taskId: string,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<queries.Attachment> {
  if (bytes.length === 0) throw fulfillmentRefusals.attachment_empty();
  const id = randomUUIDv7();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { id, taskId, name, size: bytes.length, sha256, by: call.principal.userId };
  await transaction(call, async (tx) => {
    const [assignment] = await lockAssignments(tx, [taskId]);
    const task = (await tasksById(tx, [taskId])).get(taskId);
    if (assignment === undefined || task === undefined) throw notFound('Task');
    if (task.status !== 'pending') throw fulfillmentRefusals.task_not_open_for_files();
    requireAssignee(assignment, task.user_id, call.principal.userId);
    if ((await queries.listAttachments(tx, taskId)).length >= MOST_FILES)
      throw fulfillmentRefusals.too_many_attachments({ most: MOST_FILES });
    await queries.insertAttachment(tx, file);
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
      await queries.insertChunk(tx, id, start / CHUNK_BYTES, bytes.subarray(start, start + CHUNK_BYTES));
    await recordEvents(tx, [attachmentAdded(task, file, call.cause)]);
  });
  return attachmentOf(call, taskId, id);
}

/** Returns the files of a task to those who see them: auditors, administrators, its assignee and the owner of its app. */
export async function filesOf(call: Call, taskId: string): Promise<queries.Attachment[]> {
  const { role, userId } = call.principal;
  if (role === 'member' && !(await tasksVisibleTo(call, [taskId], userId)).has(taskId)) return [];
  return queries.listAttachments(call, taskId);
}

/** Throws 404 for an attachment that the task does not have. */
export async function attachmentOf(db: OrgDb, taskId: string, id: string): Promise<queries.Attachment> {
  const found = isUuid(id) ? await queries.findAttachment(db, taskId, id) : undefined;
  if (found === undefined) throw notFound('Attachment');
  return found;
}

/** Yields the content of an attachment. */
export async function* contentOf(db: OrgDb, { id }: queries.Attachment): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const bytes = await queries.findChunk(db, id, position);
    if (bytes === undefined) return;
    yield bytes;
  }
}

export function defineFulfillmentJobs(db: Db, jobs: Jobs) {
  jobs.define({
    name: 'fulfillment.delete-attachments',
    attempts: 1,
    cron: '23 3 * * *',
    work: () => deleteExpiredAttachments(db),
  });
}

/** Deletes attachments a year after their upload. */
export async function deleteExpiredAttachments(db: Db): Promise<void> {
  for (const orgId of await queries.organizationsWithExpired(db, KEPT_DAYS)) {
    let deleted: number;
    do deleted = await transaction(within(db, orgId), (tx) => queries.deleteExpired(tx, KEPT_DAYS, BATCH));
    while (deleted === BATCH);
  }
}
