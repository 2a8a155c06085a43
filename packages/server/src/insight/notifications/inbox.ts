import type { Call } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import * as queries from './queries/inbox.ts';
import type { NotificationItem } from './schemas.ts';
import { notificationRefusals } from './sentences.ts';

/** Lists the caller's own notifications, newest first, and counts the unread ones. */
export async function listInbox(
  call: Call,
  unread: boolean | null,
  page: Page,
): Promise<Slice<NotificationItem> & { unread: number }> {
  const slice = await queries.listInbox(call, call.principal.userId, unread, page);
  return { ...slice, unread: await queries.countUnread(call, call.principal.userId) };
}

/** Marks the caller's own notifications as read. Returns how many are still unread. */
export async function markRead(
  call: Call,
  { ids, all }: { ids?: string[]; all?: true },
): Promise<{ unread: number }> {
  if ((ids === undefined) === (all === undefined)) throw notificationRefusals.ids_and_all();
  await queries.markRead(call, call.principal.userId, ids ?? null);
  return { unread: await queries.countUnread(call, call.principal.userId) };
}
