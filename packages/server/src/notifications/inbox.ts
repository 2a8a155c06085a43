import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { invalid } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import * as queries from './queries/inbox.ts';

/** Lists the caller's own notifications, newest first, and counts the unread ones. */
export async function listInbox(
  db: Db,
  { orgId, userId }: Principal,
  unread: boolean | null,
  page: Page,
): Promise<Slice<queries.InboxItem> & { unread: number }> {
  const slice = await queries.listInbox(db, orgId, userId, unread, page);
  return { ...slice, unread: await queries.countUnread(db, orgId, userId) };
}

/** Marks the caller's own notifications as read. Returns how many are still unread. */
export async function markRead(
  db: Db,
  { orgId, userId }: Principal,
  { ids, all }: { ids?: string[]; all?: true },
): Promise<{ unread: number }> {
  if ((ids === undefined) === (all === undefined)) throw invalid('Give either ids or all.');
  await queries.markRead(db, orgId, userId, ids ?? null);
  return { unread: await queries.countUnread(db, orgId, userId) };
}
