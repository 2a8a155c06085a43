import { sql } from 'kysely';
import type { Org, OrgDb } from '../../../kit/database/organization.ts';
import type { Page, Slice } from '../../../kit/pages.ts';
import type { KindName } from '../../../log/notices/kinds.ts';

export interface InboxItem {
  id: string;
  kind: KindName;
  title: string;
  body: string;
  path: string;
  created_at: Date;
  read_at: Date | null;
}

const inInbox = (org: Org, userId: string) => sql`
  n.org_id = ${org.orgId} and n.user_id = ${userId} and n.in_inbox`;

export async function listInbox(
  db: OrgDb,
  userId: string,
  unread: boolean | null,
  { limit, offset }: Page,
): Promise<Slice<InboxItem>> {
  const where = sql`${inInbox(db, userId)}
    and (${unread}::boolean is null or (n.read_at is null) = ${unread}::boolean)`;
  const counted = await sql<{ n: number }>`select count(*) as n from notification n where ${where}`.execute(
    db,
  );
  const { rows } = await sql<InboxItem>`
    select n.id, n.kind, n.title, n.body, n.path, n.created_at, n.read_at from notification n
    where ${where} order by n.id desc limit ${limit} offset ${offset}`.execute(db);
  return { count: counted.rows[0]?.n ?? 0, results: rows };
}

export async function countUnread(db: OrgDb, userId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from notification n
    where ${inInbox(db, userId)} and n.read_at is null`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Marks notifications of a person as read. Null: all. */
export async function markRead(db: OrgDb, userId: string, ids: string[] | null): Promise<void> {
  await sql`
    update notification set read_at = clock_now()
    where org_id = ${db.orgId} and user_id = ${userId} and read_at is null
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))`.execute(db);
}
