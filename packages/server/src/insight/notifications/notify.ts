import type { Logger } from 'pino';
import { isDataError, type OrgDb, type OrgTx, transaction, withSavepoint } from '#kit/database.ts';
import { follow, type Stretch } from '#kit/loops/follow.ts';
import { type LoggedEvent, readLog } from '#log/events/follow.ts';
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
export const beginNotifications = (tx: OrgTx): Promise<void> => queries.insertCursor(tx);

/**
 * Turns the next events of an organization into notifications. Returns whether more events are left. If none are, it looks for
 * what becomes due: every 10 minutes, and after events that change who must act, at most once a minute.
 */
export async function notify(org: OrgDb, logger: Logger, options: NotifyOptions): Promise<boolean> {
  let scanAt: Date | undefined;
  const read = (store: StoreEvents) =>
    follow<Stretch<LoggedEvent>>(org, {
      place: queries.place,
      read: (reading, after) => readLog(reading, { after }, TYPES, BATCH),
      handle: async (tx, { entries, hasMore }) => {
        await store(tx, entries);
        if (entries.some(({ type }) => ROUTING_TYPES.includes(type))) await queries.askForScan(tx);
        scanAt = hasMore ? undefined : await queries.beginScanIfDue(tx);
        return hasMore;
      },
    });
  const storeAll: StoreEvents = async (tx, events) => storeDrafts(tx, await draftsFrom(tx, events), options);
  const hasMore = await read(storeAll).catch((error: unknown) => {
    if (!isDataError(error)) throw error;
    return read((tx, events) => storeEach(tx, events, storeAll, { logger, orgId: org.orgId }));
  });
  if (scanAt !== undefined) await scan(org, options, scanAt);
  return hasMore;
}

type StoreEvents = (tx: OrgTx, events: readonly LoggedEvent[]) => Promise<void>;

/** Logs and skips events that cannot be stored: one bad event must not hold up all later notifications. */
async function storeEach(
  tx: OrgTx,
  events: readonly LoggedEvent[],
  store: StoreEvents,
  { logger, orgId }: { logger: Logger; orgId: string },
): Promise<void> {
  for (const event of events) {
    try {
      await withSavepoint(tx, () => store(tx, [event]));
    } catch (cause) {
      if (!isDataError(cause)) throw cause;
      logger.error({ err: cause, orgId, event: event.id, type: event.type }, 'an event was not notified');
    }
  }
}

/** Stores what is due, in short transactions, so that emails that are ready need not wait for all of it. */
async function scan(db: OrgDb, { canEmail, expiryDays }: NotifyOptions, at: Date): Promise<void> {
  for (const draftsOf of partsDue(expiryDays)) {
    await transaction(db, async (tx) => {
      await queries.lockCursor(tx);
      await storeDrafts(tx, await draftsOf(tx), { canEmail });
    });
  }
  await queries.endScan(db, at);
}
