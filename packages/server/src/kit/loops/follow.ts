import type { OrgDb, OrgTx } from '../database/organization.ts';
import { transaction } from '../database/transaction.ts';

/** A place in an organization's log. Later entries have higher ones. */
type Moment = number;

/** The next entries of a log, oldest first, that a follower reads at a time. */
export interface Stretch<Entry> {
  entries: Entry[];
  /** The place behind the stretch. Everything before it has been read. */
  next: Moment;
  /** Whether the log probably goes on behind it. */
  hasMore: boolean;
}

/** Makes a stretch of the next `limit` entries of a log, which ended at `end` when they were read. */
export function stretchOf<Entry extends { moment: Moment }>(
  entries: Entry[],
  limit: number,
  end: Moment,
): Stretch<Entry> {
  const hasMore = entries.length >= limit;
  return { entries, next: hasMore ? (entries.at(-1)?.moment ?? end) : end, hasMore };
}

/** Where the feature that follows a log stores its place: in a row for each organization. */
export interface Place {
  /** Returns undefined if the organization has no place yet. */
  read(db: OrgDb): Promise<Moment | undefined>;
  /** Locks the place until `tx` ends, and returns it. Returns undefined if another node has the lock. */
  tryLock(tx: OrgTx): Promise<Moment | undefined>;
  move(tx: OrgTx, to: Moment): Promise<void>;
}

export interface Follower<Read extends { next: Moment }> {
  place: Place;
  /** Reads what is behind a place, without locks. It may take a while. */
  read(db: OrgDb, after: Moment): Promise<Read>;
  /** Whether something else than the place has changed since, so that it must be read again. */
  isOutdated?(tx: OrgTx, read: Read): Promise<boolean>;
  /** Handles what was read. Returns whether more is left to do now. */
  handle(tx: OrgTx, read: Read): Promise<boolean>;
}

/**
 * Follows the log of an organization: reads the next entries, handles them, and moves the place, in one transaction. So each entry
 * is handled once, however many nodes follow: the one with the lock of the place works, and the others return. Nobody waits for a
 * lock while entries are read. Returns whether more is left to do now.
 */
export async function follow<Read extends { next: Moment }>(
  db: OrgDb,
  { place, read, isOutdated, handle }: Follower<Read>,
): Promise<boolean> {
  const after = await place.read(db);
  if (after === undefined) return false;
  const stretch = await read(db, after);
  return transaction(db, async (tx) => {
    const current = await place.tryLock(tx);
    if (current === undefined) return false;
    if (current !== after || (await isOutdated?.(tx, stretch))) return true;
    await place.move(tx, stretch.next);
    return handle(tx, stretch);
  });
}
