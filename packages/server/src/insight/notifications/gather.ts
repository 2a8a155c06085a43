import { randomUUIDv7 } from 'node:crypto';
import { databaseTime, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { kindOf, SECURITY_KINDS } from '#log/notices/kinds.ts';
import { DEFAULTS, settingOf } from './preferences.ts';
import { lockCursor } from './queries/cursor.ts';
import * as queries from './queries/outbox.ts';
import { findPreferences } from './queries/preferences.ts';
import { dueAt } from './schedule.ts';
import type { Choices } from './schemas.ts';
import { TURNED_OFF } from './store.ts';

/** A person gets at most this many emails in this time, in addition to security notices. The next email has all the rest. */
const MOST_EMAILS = 3;
const MINUTES = 10;
const BATCH = 2000;

/**
 * Puts the deliveries that are due into messages: one for each person and channel. Once a delivery has a message, it stays in
 * it, so that every attempt sends the same. Returns whether more are left.
 */
export function gather(db: OrgDb, media: readonly queries.Outgoing[]): Promise<boolean> {
  return transaction(db, async (tx) => {
    await lockCursor(tx);
    const due = await queries.dueDeliveries(tx, media, SECURITY_KINDS, BATCH);
    const people = [...new Set(due.flatMap(({ user_id }) => user_id ?? []))];
    const recent = await queries.recentMessages(tx, people, MINUTES, SECURITY_KINDS);
    const preferences = await findPreferences(tx, people);
    const time = await databaseTime(tx);
    const messages: queries.NewMessage[] = [];
    for (const all of Map.groupBy(due, ({ user_id, channel_id }) => user_id ?? channel_id).values()) {
      const userId = all[0]?.user_id ?? '';
      const deliveries = await wanted(tx, all, preferences.get(userId) ?? DEFAULTS, time);
      messages.push(...(await messagesOf(tx, deliveries, recent.get(userId) ?? [])));
    }
    await queries.insertMessages(tx, messages);
    return due.length === BATCH;
  });
}

/**
 * Applies the person's current preferences. Skips emails that they have turned off since, postpones those that now belong to the
 * daily digest or fall into quiet hours, and returns the rest.
 */
async function wanted(
  tx: OrgTx,
  deliveries: readonly queries.DueDelivery[],
  chosen: Choices,
  time: Date,
): Promise<queries.DueDelivery[]> {
  const dueTime = ({ kind, user_id }: queries.DueDelivery) =>
    (user_id === null ? time : dueAt(chosen, kind, time))?.getTime();
  const kept: queries.DueDelivery[] = [];
  for (const [due, group] of Map.groupBy(deliveries, dueTime)) {
    if (due === undefined) {
      await queries.skip(
        tx,
        group.map(({ id }) => id),
        TURNED_OFF,
      );
    } else if (due <= time.getTime()) {
      kept.push(...group);
    } else {
      kept.push(...group.filter(({ digest }) => digest));
      const ids = group.filter(({ digest }) => !digest).map(({ id }) => id);
      const isDaily = group.some(({ kind }) => settingOf(chosen, kind) === 'daily');
      await queries.postpone(tx, ids, new Date(due), isDaily);
    }
  }
  return kept;
}

/** Returns the messages with the deliveries of one recipient, and postpones what would be too many emails. */
async function messagesOf(
  tx: OrgTx,
  deliveries: readonly queries.DueDelivery[],
  recent: readonly Date[],
): Promise<queries.NewMessage[]> {
  const links = deliveries.filter(({ kind }) => kind === 'sign_in_link');
  const others = deliveries.filter(({ kind }) => kind !== 'sign_in_link');
  const messages = links.map((link) => messageOf([link]));
  const limiting = recent[MOST_EMAILS - 1];
  const now = limiting === undefined ? others : others.filter(isUrgent);
  if (now.length > 0) messages.push(messageOf(now));
  if (limiting !== undefined) {
    const later = others.filter((delivery) => !isUrgent(delivery)).map(({ id }) => id);
    await queries.postpone(tx, later, new Date(limiting.getTime() + MINUTES * 60_000));
  }
  return messages;
}

const isUrgent = ({ kind }: queries.DueDelivery) => kindOf(kind).security === true;

function messageOf(deliveries: readonly queries.DueDelivery[]): queries.NewMessage {
  const { medium, user_id, channel_id } = deliveries[0] as queries.DueDelivery;
  return {
    id: randomUUIDv7(),
    medium,
    user_id,
    channel_id,
    urgent: deliveries.some(isUrgent),
    deliveries: deliveries.map(({ id }) => id),
  };
}
