import { randomUUIDv7 } from 'node:crypto';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { kindOf, SECURITY_KINDS } from './kinds.ts';
import { lockCursor } from './queries/cursor.ts';
import * as queries from './queries/outbox.ts';

/** A person gets at most this many emails in this time, besides security notices. The next email has all the rest. */
const MOST_EMAILS = 3;
const MINUTES = 10;
const BATCH = 2000;

/**
 * Puts the deliveries that are due into messages: one for each person and channel. Once a delivery has a message, it stays in
 * it, so that every attempt sends the same. Returns whether more are left.
 */
export function gather(db: Db, orgId: string, media: readonly queries.Outgoing[]): Promise<boolean> {
  return transaction(db, async (tx) => {
    await lockCursor(tx, orgId);
    const due = await queries.dueDeliveries(tx, orgId, media, BATCH);
    const people = [...new Set(due.flatMap(({ user_id }) => user_id ?? []))];
    const recent = await queries.recentMessages(tx, orgId, people, MINUTES, SECURITY_KINDS);
    const messages: queries.NewMessage[] = [];
    for (const deliveries of Map.groupBy(due, ({ user_id, channel_id }) => user_id ?? channel_id).values()) {
      const times = recent.get(deliveries[0]?.user_id ?? '') ?? [];
      messages.push(...(await messagesOf(tx, orgId, deliveries, times)));
    }
    await queries.insertMessages(tx, orgId, messages);
    return due.length === BATCH;
  });
}

/** Returns the messages with the deliveries of one recipient, and postpones what would be too many emails. */
async function messagesOf(
  tx: Tx,
  orgId: string,
  deliveries: readonly queries.DueDelivery[],
  recent: readonly Date[],
): Promise<queries.NewMessage[]> {
  const links = deliveries.filter(({ kind }) => kind === 'sign_in_link');
  const others = deliveries.filter(({ kind }) => kind !== 'sign_in_link');
  const messages = links.map((link) => messageOf([link]));
  const limiting = recent[MOST_EMAILS - 1];
  const urgent = others.filter(({ kind }) => kindOf(kind).security === true);
  const now = limiting === undefined ? others : urgent;
  if (now.length > 0) messages.push(messageOf(now));
  if (limiting !== undefined) {
    const later = others.filter((delivery) => !urgent.includes(delivery)).map(({ id }) => id);
    await queries.postpone(tx, orgId, later, new Date(limiting.getTime() + MINUTES * 60_000));
  }
  return messages;
}

function messageOf(deliveries: readonly queries.DueDelivery[]): queries.NewMessage {
  const { medium, user_id, channel_id } = deliveries[0] as queries.DueDelivery;
  return { id: randomUUIDv7(), medium, user_id, channel_id, deliveries: deliveries.map(({ id }) => id) };
}
