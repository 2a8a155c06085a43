import { createHash, randomUUIDv7 } from 'node:crypto';
import { type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, takeTurnsIn } from '#kit/identity.ts';
import { nfc } from '#kit/nfc.ts';
import { recordEvents } from '#log/events/record.ts';
import { discardPlan } from './apply.ts';
import { spreadsheetEvent } from './events.ts';
import { uploadOf } from './find.ts';
import { type Column, chooseId, guessAccounts, guessPeople } from './guess.ts';
import { withNames } from './mapping.ts';
import * as queries from './queries/uploads.ts';
import type { Columns } from './read/read-task.ts';
import { readInWorker } from './read/reader.ts';
import type { ReadOptions } from './read/sheet.ts';
import { uploadRefusals } from './sentences.ts';
import type { Content, Target, Upload } from './upload.ts';

const MB = 1024 * 1024;
const LARGEST_FILE_MB = 64;
/** A smaller chunk costs more statements. A larger one is read as a whole, although some readers need only the first rows. */
const CHUNK = 256 * 1024;
/** Uploads of an organization that have not ended. */
const MOST_KEPT = 50;

/** Stores a file and reads its columns. Throws 400 for a file that cannot be read, and keeps nothing of it. */
export async function receiveUpload(
  call: Call,
  target: Target,
  fileName: string,
  body: AsyncIterable<Buffer>,
): Promise<Upload> {
  const id = randomUUIDv7();
  const appId = target?.id ?? null;
  await transaction(call, async (tx) => {
    await takeTurnsIn(tx);
    if ((await queries.countKept(tx)) >= MOST_KEPT)
      throw uploadRefusals.too_many_uploads({ most: MOST_KEPT });
    await queries.insertUpload(tx, { id, appId, fileName, cause: call.cause });
  });
  try {
    const { bytes, sha256 } = await storeChunks(call, id, body);
    const content = await readContent(call, target, id, {});
    return await transaction(call, async (tx) => {
      await queries.setReceived(tx, id, { bytes, sha256, content });
      const upload = await uploadOf(tx, target, id);
      await recordEvents(tx, [spreadsheetEvent('spreadsheet.uploaded', call, target, upload, call.cause)]);
      return upload;
    });
  } catch (error) {
    await transaction(call, (tx) => queries.deleteUpload(tx, id));
    throw error;
  }
}

async function storeChunks(db: OrgDb, id: string, body: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  let pieces: Buffer[] = [];
  let pending = 0;
  let bytes = 0;
  let number = 0;
  const flush = async () => {
    const chunk = Buffer.concat(pieces);
    pieces = [];
    pending = 0;
    await queries.insertChunk(db, id, number++, chunk);
  };
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > LARGEST_FILE_MB * MB) throw uploadRefusals.file_too_large({ most: LARGEST_FILE_MB });
    hash.update(piece);
    pieces.push(piece);
    pending += piece.length;
    if (pending >= CHUNK) await flush();
  }
  if (pending > 0) await flush();
  return { bytes, sha256: hash.digest('hex') };
}

/** Reads the file again in another way, such as another sheet. Discards a plan that was made from it. */
export async function readAgain(
  db: OrgDb,
  target: Target,
  id: string,
  options: ReadOptions,
): Promise<Upload> {
  const before = await uploadOf(db, target, id);
  requireOpen(before);
  const content = await readContent(db, target, id, options);
  await discardPlan(db, target, before);
  return transaction(db, async (tx) => {
    const upload = await queries.lockUpload(tx, id);
    if (upload === undefined) throw notFound('Upload');
    requireOpen(upload);
    await queries.setContent(tx, id, content);
    return uploadOf(tx, target, id);
  });
}

/** Throws 409 for an upload that is being checked or has ended. */
export function requireOpen({ status }: Upload) {
  if (status === 'checking') throw uploadRefusals.rows_being_checked();
  if (status === 'applied' || status === 'discarded') throw uploadRefusals.upload_not_checkable({ status });
}

async function readContent(db: OrgDb, target: Target, id: string, options: ReadOptions): Promise<Content> {
  const { layout, columns } = await readInWorker<Columns>(
    db.orgId,
    { read: 'columns', options, compares: target !== null },
    { chunk: (number) => queries.findChunk(db, id, number) },
  );
  if (columns.length === 0) throw uploadRefusals.columns_missing();
  const saved = await queries.findMapping(db, target?.id ?? db.orgId);
  return { ...layout, columns, ...suggestion(target, columns, saved) };
}

/** Suggests the mapping of the last upload if all its columns are still in the file, and a guess otherwise. */
function suggestion(
  target: Target,
  columns: Column[],
  saved: queries.SavedMapping | undefined,
): Pick<Content, 'suggestion' | 'since_last' | 'id_choice'> {
  const guess = target === null ? guessPeople(columns) : guessAccounts(columns);
  const id_choice = target === null ? null : chooseId(columns);
  if (saved === undefined) return { suggestion: guess, since_last: null, id_choice };
  const names = columns.map(({ name }) => name);
  const headers = saved.headers.map(nfc);
  const since_last = {
    added: names.filter((name) => !headers.includes(name)),
    missing: headers.filter((name) => !names.includes(name)),
  };
  // Each file needs its own choice about what it hides.
  const { hidden_rows: _, ...mapping } = withNames(saved.mapping);
  const fits = mapping.columns.every(({ column }) => names.includes(column));
  return { suggestion: fits ? mapping : guess, since_last, id_choice: fits ? null : id_choice };
}
