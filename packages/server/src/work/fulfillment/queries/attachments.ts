import { type Db, everywhere, type Org, type OrgDb, type OrgTx } from '#kit/database.ts';
import { many, one, run, sql, values } from '#kit/sql.ts';

/** A file that was attached to a task, without its content. */
export interface Attachment {
  id: string;
  name: string;
  size: number;
  sha256: string;
  uploaded_by: { external_uuid: string; email: string };
  uploaded_at: Date;
}

const view = (org: Org) => sql`
  f.id, f.name, f.size, f.sha256, f.uploaded_at,
  jsonb_build_object('external_uuid', f.uploaded_by, 'email', coalesce((
    select u.email from platform_user u where u.org_id = ${org.orgId} and u.id = f.uploaded_by), '')) as uploaded_by`;

export const listAttachments = (db: OrgDb, taskId: string) => many<Attachment>(db)`
    select ${view(db)} from fulfillment_attachment f
    where f.org_id = ${db.orgId} and f.task_id = ${taskId} order by f.uploaded_at, f.id`;

export const findAttachment = (db: OrgDb, taskId: string, id: string) => one<Attachment>(db)`
    select ${view(db)} from fulfillment_attachment f
    where f.org_id = ${db.orgId} and f.task_id = ${taskId} and f.id = ${id}`;

export interface NewAttachment {
  id: string;
  taskId: string;
  name: string;
  size: number;
  sha256: string;
  by: string;
}

export const insertAttachment = (tx: OrgTx, { id, taskId, name, size, sha256, by }: NewAttachment) => run(tx)`
    insert into fulfillment_attachment (org_id, id, task_id, name, size, sha256, uploaded_by, uploaded_at)
    values (${tx.orgId}, ${id}, ${taskId}, ${name}, ${size}, ${sha256}, ${by}, clock_timestamp())`;

export const insertChunk = (tx: OrgTx, id: string, position: number, bytes: Buffer) => run(tx)`
    insert into fulfillment_attachment_chunk (org_id, attachment_id, position, bytes)
    values (${tx.orgId}, ${id}, ${position}, decode(${bytes.toString('base64')}, 'base64'))`;

export async function findChunk(db: OrgDb, id: string, position: number): Promise<Buffer | undefined> {
  const rows = await many<{ bytes: string }>(db)`
    select encode(bytes, 'base64') as bytes from fulfillment_attachment_chunk
    where org_id = ${db.orgId} and attachment_id = ${id} and position = ${position}`;
  return rows[0] && Buffer.from(rows[0].bytes, 'base64');
}

/** Returns the organizations with attachments that are older than this many days. */
export const organizationsWithExpired = (db: Db, days: number) => values<string>(everywhere(db))`
    select distinct org_id from fulfillment_attachment
    where uploaded_at < clock_now() - make_interval(days => ${days})`;

/** Deletes up to `limit` old attachments with their content. Returns how many. */
export async function deleteExpired(tx: OrgTx, days: number, limit: number): Promise<number> {
  const ids = await values<string>(tx)`
    select id from fulfillment_attachment
    where org_id = ${tx.orgId} and uploaded_at < clock_now() - make_interval(days => ${days})
    order by id limit ${limit} for update`;
  if (ids.length === 0) return 0;
  await run(tx)`
    delete from fulfillment_attachment_chunk where org_id = ${tx.orgId} and attachment_id = any(${ids}::uuid[])`;
  await run(tx)`delete from fulfillment_attachment where org_id = ${tx.orgId} and id = any(${ids}::uuid[])`;
  return ids.length;
}
