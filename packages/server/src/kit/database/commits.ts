import type { Logger } from 'pino';
import type { Db } from './database.ts';
import { many } from './statements.ts';

/** How often a process looks whether anybody has committed. Tests look more often. */
export const watching = { everyMs: 1000 };
/** While a look takes longer, nobody knows whether somebody has committed. */
const LATE_MS = 10_000;
/** A clock that has moved by so much more or less than the other was set, or its machine was suspended. */
const LEAP_MS = 2000;

/** Counts the statements that this process has sent. Only engines that no other process can write to have it. */
const sentCounts = new WeakMap<Db, () => number>();

/** Declares that only this process writes to the database, and how many statements it has sent. */
export function declareOnlyWriter(db: Db, countSent: () => number): void {
  sentCounts.set(db, countSent);
}

/** The state that a look compares with the one before. */
interface Sight {
  /** The transactions whose effects are visible. It changes with each commit of a transaction that has written. */
  snapshot: string;
  /** By the clock of the database, in milliseconds. */
  databaseMs: number;
  /** By the clocks of this process. */
  wallMs: number;
  monotonicMs: number;
}

interface Watch {
  listeners: Set<() => void>;
  stop(): void;
}

const watches = new WeakMap<Db, Watch>();

/**
 * Calls `listener` within about a second after a commit of any node, after a clock was set, and after an outage, until the returned
 * function is called. One statement a second and process is enough for all listeners (ADR 22), and none while the only writer is
 * quiet. It compares snapshots and not positions of the log: those move before a commit is visible.
 */
export function watchCommits(
  db: Db,
  logger: Pick<Logger, 'error' | 'info'>,
  listener: () => void,
): () => void {
  const watch = watches.get(db) ?? startWatch(db, logger);
  watches.set(db, watch);
  watch.listeners.add(listener);
  return () => {
    watch.listeners.delete(listener);
    if (watch.listeners.size > 0) return;
    watch.stop();
    if (watches.get(db) === watch) watches.delete(db);
  };
}

function startWatch(db: Db, logger: Pick<Logger, 'error' | 'info'>): Watch {
  const listeners = new Set<() => void>();
  const countSent = sentCounts.get(db);
  let last: Sight | undefined;
  let sent: number | undefined;
  let isOut = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const tellAll = () => {
    for (const listener of listeners) listener();
  };

  const look = async () => {
    const count = countSent?.();
    if (count !== undefined && count === sent && last !== undefined) {
      const clocks = ownClocks();
      const seen = {
        ...last,
        ...clocks,
        databaseMs: last.databaseMs + clocks.monotonicMs - last.monotonicMs,
      };
      const isNews = hasLeapt(last, seen);
      last = seen;
      return isNews;
    }
    const seen = await see(db);
    // The statement of this look, and none that others have sent in the meantime.
    sent = count === undefined ? undefined : count + 1;
    const isNews = last === undefined || seen.snapshot !== last.snapshot || hasLeapt(last, seen);
    last = seen;
    return isNews;
  };

  const turn = async () => {
    const late = setInterval(tellAll, LATE_MS).unref();
    try {
      const isNews = await look();
      if (isOut) logger.info('The database responds again.');
      if (isNews || isOut) tellAll();
      isOut = false;
    } catch (error) {
      if (!isOut && !stopped)
        logger.error({ err: error }, 'The database does not respond. Background work waits for it.');
      isOut = true;
    }
    clearInterval(late);
    if (!stopped) timer = setTimeout(turn, watching.everyMs).unref();
  };
  timer = setTimeout(turn, watching.everyMs).unref();
  return {
    listeners,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function see(db: Db): Promise<Sight> {
  const rows = await many<{ snapshot: string; now: number }>(db)`
    select pg_current_snapshot()::text as snapshot,
      extract(epoch from clock_timestamp())::double precision * 1000 as now`;
  const { snapshot, now } = rows[0] as (typeof rows)[0];
  return { snapshot, databaseMs: now, ...ownClocks() };
}

const ownClocks = () => ({ wallMs: Date.now(), monotonicMs: performance.now() });

/** Whether a clock has moved otherwise than the one that nobody sets. */
function hasLeapt(before: Sight, after: Sight): boolean {
  const passed = after.monotonicMs - before.monotonicMs;
  return [after.wallMs - before.wallMs, after.databaseMs - before.databaseMs].some(
    (moved) => Math.abs(moved - passed) > LEAP_MS,
  );
}
