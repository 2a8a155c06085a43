import type { Logger } from 'pino';
import { anyEventsBetween, endOfLog, type LoggedEvent } from '../events/follow.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isDataError } from '../platform/database/sqlstate.ts';
import { transaction, withSavepoint } from '../platform/database/transaction.ts';
import { draftsFrom, NOTIFIED_TYPES, ROUTING_TYPES } from './from-events.ts';
import * as queries from './queries/cursor.ts';
import { partsDue } from './scan.ts';
import { storeDrafts } from './store.ts';

export interface NotifyOptions {
  canEmail: boolean;
  /** Days after which an undecided request expires. */
  expiryDays: number;
}

const BATCH = 200;
const TYPES = [...NOTIFIED_TYPES, ...ROUTING_TYPES];

/** Begins the notifications of a new organization, in the transaction that creates it. */
export const beginNotifications = (tx: Tx, orgId: string): Promise<void> => queries.insertCursor(tx, orgId);

export const organizationsToRead = (db: Db): Promise<string[]> => queries.organizationsToRead(db);

/**
 * Turns the next events of an organization into notifications. Returns whether more events are left. If none are, it looks for
 * what becomes due: every 10 minutes, and after events that change who must act, at most once a minute.
 *
 * The cursor moves in the transaction of the notifications, so that each event leads to each of them once. Any number of nodes
 * may call this: the one with the lock of the cursor works, the others return.
 */
export async function notify(
  db: Db,
  logger: Logger,
  orgId: string,
  options: NotifyOptions,
): Promise<boolean> {
  const { hasMore, scanAt } = await readEvents(db, logger, orgId, options);
  if (scanAt !== undefined) await scan(db, orgId, options, scanAt);
  return hasMore;
}

interface Progress {
  hasMore: boolean;
  /** The time of the scan that begins now. */
  scanAt?: Date;
}

/**
 * Reads a batch of events. If that fails, reads the batch again event by event, and logs and skips those that fail: one bad
 * event must not hold up all later notifications.
 */
async function readEvents(
  db: Db,
  logger: Logger,
  orgId: string,
  options: Pick<NotifyOptions, 'canEmail'>,
): Promise<Progress> {
  const read = (store: StoreEvents) => transaction(db, (tx) => readBatch(tx, orgId, store));
  const storeAll: StoreEvents = async (tx, events) =>
    storeDrafts(tx, orgId, await draftsFrom(tx, orgId, events), options);
  try {
    return await read(storeAll);
  } catch (error) {
    if (!isDataError(error)) throw error;
    return read(async (tx, events) => {
      for (const event of events) {
        try {
          await withSavepoint(tx, () => storeAll(tx, [event]));
        } catch (cause) {
          if (!isDataError(cause)) throw cause;
          logger.error({ err: cause, orgId, event: event.id, type: event.type }, 'an event was not notified');
        }
      }
    });
  }
}

type StoreEvents = (tx: Tx, events: readonly LoggedEvent[]) => Promise<void>;

async function readBatch(tx: Tx, orgId: string, store: StoreEvents): Promise<Progress> {
  const cursor = await queries.tryLockCursor(tx, orgId);
  if (cursor === undefined) {
    await queries.insertCursor(tx, orgId);
    return { hasMore: false };
  }
  const end = await endOfLog(tx, orgId);
  const range = { after: cursor.read_to, to: end };
  const events = await anyEventsBetween(tx, orgId, range, TYPES, BATCH);
  await store(tx, events);
  const hasMore = events.length === BATCH;
  const last = events.at(-1);
  await queries.moveCursor(tx, orgId, hasMore && last !== undefined ? last.moment : end);
  if (events.some(({ type }) => ROUTING_TYPES.includes(type))) await queries.askForScan(tx, orgId);
  if (hasMore || !cursor.scan_due) return { hasMore };
  return { hasMore, scanAt: await queries.beginScan(tx, orgId) };
}

/** Stores what is due, in short transactions, so that emails that are ready need not wait for all of it. */
async function scan(db: Db, orgId: string, { canEmail, expiryDays }: NotifyOptions, at: Date): Promise<void> {
  for (const draftsOf of partsDue(orgId, expiryDays)) {
    await transaction(db, async (tx) => {
      await queries.lockCursor(tx, orgId);
      await storeDrafts(tx, orgId, await draftsOf(tx), { canEmail });
    });
  }
  await queries.endScan(db, orgId, at);
}
