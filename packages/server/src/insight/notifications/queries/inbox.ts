import type { Org, OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, run, sql, value } from '#kit/sql.ts';
import type { NotificationItem } from '../schemas.ts';

const inInbox = (org: Org, userId: string) => sql`
  n.org_id = ${org.orgId} and n.user_id = ${userId} and n.in_inbox`;

export async function listInbox(
  db: OrgDb,
  userId: string,
  unread: boolean | null,
  { limit, offset }: Page,
): Promise<Slice<NotificationItem>> {
  const where = sql`${inInbox(db, userId)}
    and (${unread}::boolean is null or (n.read_at is null) = ${unread}::boolean)`;
  const counted = await value<number>(db)`select count(*) as n from notification n where ${where}`;
  const rows = await many<NotificationItem>(db)`
    select n.id, n.kind, n.title, n.body, n.path, n.created_at, n.read_at from notification n
    where ${where} order by n.id desc limit ${limit} offset ${offset}`;
  return { count: counted, results: rows };
}

export const countUnread = (db: OrgDb, userId: string) => value<number>(db)`
    select count(*) as n from notification n
    where ${inInbox(db, userId)} and n.read_at is null`;

/** Marks notifications of a person as read. Null: all. */
export const markRead = (db: OrgDb, userId: string, ids: string[] | null) => run(db)`
    update notification set read_at = clock_now()
    where org_id = ${db.orgId} and user_id = ${userId} and read_at is null
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))`;
