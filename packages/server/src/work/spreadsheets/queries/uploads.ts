import { type Db, everywhere, type OrgDb, type OrgTx } from '#kit/database.ts';
import { type Cause, isActiveOrganization } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import { affected, many, one, run, sql, value } from '#kit/sql.ts';
import type { Mapping } from '../mapping.ts';
import type { Problem } from '../problem.ts';
import type { Remark } from '../remarks.ts';
import type { Content, Upload } from '../upload.ts';

const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

const columns = sql`id, app_id, cause, file_name, bytes, sha256, status, content, mapping, rows, problems, sync_id, result,
  error, remarks, created_at, updated_at`;

export const countKept = (tx: OrgTx) => value<number>(tx)`
    select count(*) as count from upload
    where org_id = ${tx.orgId} and status not in ('applied', 'discarded')`;

export const insertUpload = (
  tx: OrgTx,
  { id, appId, fileName, cause }: { id: string; appId: string | null; fileName: string; cause: Cause },
) => run(tx)`
    insert into upload (org_id, id, app_id, cause, file_name, status)
    values (${tx.orgId}, ${id}, ${appId}, ${JSON.stringify(cause)}::jsonb, ${fileName}, 'receiving')`;

export const insertChunk = (db: OrgDb, id: string, number: number, bytes: Buffer) => run(db)`
    insert into upload_chunk (org_id, upload_id, number, bytes)
    values (${db.orgId}, ${id}, ${number}, ${bytes})`;

export const findChunk = (db: OrgDb, id: string, number: number) => value<Uint8Array | undefined>(db)`
    select bytes from upload_chunk
    where org_id = ${db.orgId} and upload_id = ${id} and number = ${number}`;

export const setReceived = (
  tx: OrgTx,
  id: string,
  { bytes, sha256, content }: { bytes: number; sha256: string; content: Content },
) => run(tx)`
    update upload set status = 'uploaded', bytes = ${bytes}, sha256 = ${sha256},
      content = ${JSON.stringify(content)}::jsonb, updated_at = clock_now()
    where org_id = ${tx.orgId} and id = ${id}`;

/** Finds an upload that has been received. */
export const findUpload = (db: OrgDb, appId: string | null, id: string) => one<Upload>(db)`
    select ${columns} from upload
    where org_id = ${db.orgId} and id = ${id} and app_id is not distinct from ${appId}::uuid
      and status <> 'receiving'`;

export const lockUpload = (tx: OrgTx, id: string) => one<Upload>(tx)`
    select ${columns} from upload where org_id = ${tx.orgId} and id = ${id} for update`;

export const setContent = (tx: OrgTx, id: string, content: Content) => run(tx)`
    update upload set content = ${JSON.stringify(content)}::jsonb, status = 'uploaded', problems = null, rows = null,
      result = null, error = null, sync_id = null, remarks = '[]', account_order = null, updated_at = clock_now()
    where org_id = ${tx.orgId} and id = ${id}`;

export const setChecking = (tx: OrgTx, id: string, mapping: Mapping, cause: Cause) => run(tx)`
    update upload set status = 'checking', mapping = ${JSON.stringify(mapping)}::jsonb,
      cause = ${JSON.stringify(cause)}::jsonb, problems = null, rows = null, result = null, error = null,
      sync_id = null, remarks = '[]', account_order = null, updated_at = clock_now()
    where org_id = ${tx.orgId} and id = ${id}`;

/** Stores the session into which a job pushes the rows. */
export const setSession = (db: OrgDb, id: string, syncId: string) => run(db)`
    update upload set sync_id = ${syncId} where org_id = ${db.orgId} and id = ${id} and status = 'checking'`;

export interface Checked {
  status: 'invalid' | 'planned' | 'failed';
  /** The session that holds all rows. */
  syncId?: string | null;
  rows?: number | null;
  problems?: number | null;
  result?: unknown;
  error?: Sentence | null;
  remarks?: readonly Remark[];
  /** The accounts in the order of the file, to recognize that a later file was cut off. */
  order?: Uint8Array | null;
}

/** Ends a check. Returns false if the upload was discarded, or another run of the job has started another session. */
export async function setChecked(
  db: OrgDb,
  id: string,
  { status, syncId = null, rows = null, problems = null, ...found }: Checked,
): Promise<boolean> {
  const { result = null, error = null, remarks = [], order = null } = found;
  const updated = await affected(db)`
    update upload set status = ${status}, rows = ${rows}, problems = ${problems},
      result = ${result === null ? null : JSON.stringify(result)}::jsonb, error = ${error === null ? null : JSON.stringify(error, wellFormed)}::jsonb,
      remarks = ${JSON.stringify(remarks)}::jsonb, account_order = ${order === null ? null : Buffer.from(order)}::bytea,
      updated_at = clock_now()
    where org_id = ${db.orgId} and id = ${id} and status = 'checking'
      and (${syncId}::uuid is null or sync_id = ${syncId}::uuid)`;
  return updated > 0;
}

export async function setEnded(
  tx: OrgTx,
  id: string,
  status: 'applied' | 'discarded',
  result: unknown = null,
): Promise<void> {
  await run(tx)`
    update upload set status = ${status}, updated_at = clock_now(),
      result = coalesce(${result === null ? null : JSON.stringify(result)}::jsonb, result), account_order = null
    where org_id = ${tx.orgId} and id = ${id}`;
  await run(tx)`delete from upload_chunk where org_id = ${tx.orgId} and upload_id = ${id}`;
  await run(tx)`delete from upload_problem where org_id = ${tx.orgId} and upload_id = ${id}`;
}

export async function deleteUpload(tx: OrgTx, id: string): Promise<void> {
  await run(tx)`delete from upload_chunk where org_id = ${tx.orgId} and upload_id = ${id}`;
  await run(tx)`delete from upload_problem where org_id = ${tx.orgId} and upload_id = ${id}`;
  await run(tx)`delete from upload where org_id = ${tx.orgId} and id = ${id}`;
}

export const clearProblems = (db: OrgDb, id: string) =>
  run(db)`delete from upload_problem where org_id = ${db.orgId} and upload_id = ${id}`;

export const insertProblems = (db: OrgDb, id: string, first: number, problems: Problem[]) => run(db)`
    insert into upload_problem (org_id, upload_id, number, row_number, column_name, value, message, code, message_values)
    select ${db.orgId}, ${id}, ${first}::integer + p.number - 1, p.row, p.name, p.value, p.message, p.code, p.message_values
    from unnest(${problems.map(({ row }) => row)}::integer[], ${problems.map(({ column }) => column)}::text[],
      ${problems.map(({ value }) => value)}::text[], ${problems.map(({ message }) => message)}::text[],
      ${problems.map(({ code }) => code)}::text[], ${problems.map(({ values }) => JSON.stringify(values, wellFormed))}::text[]::jsonb[])
      with ordinality as p (row, name, value, message, code, message_values, number)`;

/** Returns the problems from a number on, in the order of the rows of the file. */
export const listProblems = (db: OrgDb, id: string, first: number, limit: number) => many<Problem>(db)`
    select row_number as row, column_name as column, value, message, code, message_values as values
    from upload_problem
    where org_id = ${db.orgId} and upload_id = ${id} and number >= ${first}
    order by number limit ${limit}`;

export interface SavedMapping {
  mapping: Mapping;
  headers: string[];
}

export const findMapping = (db: OrgDb, targetId: string) => one<SavedMapping>(db)`
    select mapping, headers from upload_mapping
    where org_id = ${db.orgId} and target_id = ${targetId}`;

/** Returns the accounts of the last applied upload of an app, in their order. */
export async function findOrder(db: OrgDb, appId: string): Promise<Uint8Array | null> {
  return (
    (await value<Uint8Array | null | undefined>(db)`
    select account_order from upload_mapping
    where org_id = ${db.orgId} and target_id = ${appId}`) ?? null
  );
}

/** Keeps the mapping of an upload, and the order of its accounts, for the next one. */
export async function saveMapping(
  tx: OrgTx,
  targetId: string,
  uploadId: string,
  { mapping, headers }: SavedMapping,
): Promise<void> {
  await run(tx)`
    insert into upload_mapping (org_id, target_id, mapping, headers)
    values (${tx.orgId}, ${targetId}, ${JSON.stringify(mapping)}::jsonb, ${headers}::text[])
    on conflict (org_id, target_id) do update
    set mapping = excluded.mapping, headers = excluded.headers, saved_at = excluded.saved_at`;
  await run(tx)`
    update upload_mapping m set account_order = u.account_order
    from upload u
    where m.org_id = ${tx.orgId} and m.target_id = ${targetId} and u.org_id = ${tx.orgId} and u.id = ${uploadId}`;
}

/** Returns the uploads of all active organizations that are older than a day. */
export const oldUploads = (db: Db) => many<{ org_id: string; id: string }>(everywhere(db))`
    select u.org_id, u.id from upload u
    where u.created_at < now() - interval '1 day' and ${isActiveOrganization('u.org_id')}`;
