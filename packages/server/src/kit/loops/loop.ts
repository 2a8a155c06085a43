import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isCluster } from '../database/cluster.ts';
import { watchCommits, watching } from '../database/commits.ts';
import type { Db } from '../database/open.ts';
import { listen, type Signal } from '../database/signals.ts';
import { Bell } from './bell.ts';

/** Work of an organization, or of all. Items with the same `id` are the same work; without one, it is the organization's. */
export type WorkItem = { org_id: string; id?: string } | { org_id?: undefined; id: string };

export interface LoopOptions<Item extends WorkItem> {
  /** Names the work in the log, as in "policies". */
  name: string;
  db: Db;
  logger: Logger;
  /** The changes that bring work. A signal makes the loop look for it immediately. */
  wokenBy: readonly Signal[];
  /** Milliseconds from one look for work to the next one, while anybody commits, work is in progress, or some is due. */
  everyMs?: number;
  /** Returns the work that is due in all organizations, the most urgent first. */
  find(): Promise<readonly Item[]>;
  /**
   * Returns the seconds until `find` would return work: at most 0 if it would now, null if only a commit can bring some. It has the
   * conditions of `find`, except for the time. While nothing happens, the loop sleeps as long.
   */
  nextDue(): Promise<number | null>;
  /** Does an item, or a part of it. Returns whether more of it is due now. `signal` asks it to end soon. */
  work(item: Item, signal: AbortSignal): Promise<boolean>;
  /** Whether an item may begin beside those in progress. By default, one item runs at a time. */
  hasRoom?(item: Item, inProgress: readonly Item[]): boolean;
}

/** Background work that every node repeats, for all organizations that have some. */
export interface Loop {
  /** Looks for work from now on. */
  start(): void;
  /** Does all work that is due now, and all that it brings. For tests, which need not start the loop. */
  tick(): Promise<void>;
  /** Whether the loop has looked for work since the last signal, and has none in progress. */
  isQuiet(): boolean;
  /** Stops looking for work, and waits until the work in progress has ended. */
  stop(): Promise<void>;
}

const EVERY_MS = 1000;
/** A timer may fire a little before the clock of the database says so. */
const LEAST_SLEEP_MS = 20;
/**
 * Between two looks for work, however many signals come: at least this long, less if the last round left work that is due, and this
 * many times as long as the last search took, so that a loop leaves most of the database's time to requests. A signal after a quiet
 * time waits for nothing. As a safety net, no loop sleeps longer than `longestSleepMs`, whatever it has missed.
 */
export const pace = { leastGapMs: 200, leftGapMs: 50, longestSleepMs: 300_000 };
const GAP_FACTOR = 10;
/** An item, or a search, that fails again and again waits this long. */
const LONGEST_PAUSE_MS = 30_000;

/** The history of an item that a loop has begun, kept as long as the loop finds it. */
interface Memory {
  /** The round in which it began last: those that have waited the longest begin first. */
  round: number;
  failures: number;
  /** When it may begin again after a failure. */
  retryAt: number;
}

/**
 * Creates a loop. Nodes do not coordinate their loops: `work` takes the locks or the leases that it needs, and returns if another
 * node was faster. An error in one item is logged, delays no other item, and is retried after a second, then after longer pauses.
 * If more work is due than there is room for, items take turns, so that no organization starves the others.
 */
export function createLoop<Item extends WorkItem>({
  name,
  db,
  logger,
  wokenBy,
  everyMs = EVERY_MS,
  find,
  nextDue,
  work,
  hasRoom = (_item, inProgress) => inProgress.length === 0,
}: LoopOptions<Item>): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const inProgress = new Map<string, { item: Item; ended: Promise<void> }>();
  const memory = new Map<string, Memory>();
  const asked = new Bell();
  const ended = new Bell();
  /** Rings for each signal, and after commits that may have brought work without one. */
  const stirred = new Bell();
  let round = 0;
  let seen = 0;
  let searchMs = 0;
  /** Whether the last round left items without room. */
  let left = false;
  /** Whether work was left that is due now, by the last round or by its items. */
  let isBehind = false;

  const begin = (key: string, item: Item) => {
    const remembered = memory.get(key) ?? { round: 0, failures: 0, retryAt: 0 };
    remembered.round = round;
    memory.set(key, remembered);
    const before = asked.rings;
    const end = (async () => {
      let more = false;
      try {
        more = await work(item, signal);
        remembered.failures = 0;
      } catch (error) {
        if (!signal.aborted)
          logger.error(
            { err: error, orgId: item.org_id, itemId: item.id, work: name },
            'background work failed',
          );
        remembered.failures += 1;
        remembered.retryAt = performance.now() + pauseAfter(remembered.failures);
      }
      inProgress.delete(key);
      isBehind ||= more || left;
      // A signal that came in the meantime may have brought more of it.
      if (more || left || asked.rings > before) asked.ring();
      ended.ring();
    })();
    inProgress.set(key, { item, ended: end });
  };

  const isFree = (item: Item) =>
    hasRoom(
      item,
      [...inProgress.values()].map((one) => one.item),
    );

  const lookForWork = async (retries: 'when due' | 'now') => {
    seen = asked.rings;
    isBehind = false;
    round += 1;
    const began = performance.now();
    const found = new Map((await find()).map((item) => [keyOf(item), item]));
    searchMs = performance.now() - began;
    for (const key of memory.keys()) if (!found.has(key) && !inProgress.has(key)) memory.delete(key);
    const now = retries === 'now' ? Number.POSITIVE_INFINITY : performance.now();
    const roundOf = ([key]: [string, Item]) => memory.get(key)?.round ?? 0;
    let waiting = [...found]
      .filter(([key]) => !inProgress.has(key) && (memory.get(key)?.retryAt ?? 0) <= now)
      .sort((a, b) => roundOf(a) - roundOf(b));
    while (!signal.aborted) {
      waiting = waiting.filter(([key, item]) => {
        const begins = isFree(item);
        if (begins) begin(key, item);
        return !begins;
      });
      if (waiting.length === 0 || !(await ended.next(everyMs, signal))) break;
    }
    left = waiting.length > 0;
  };
  // A tick and the running loop take turns.
  let last: Promise<unknown> = Promise.resolve();
  const look = (retries: 'when due' | 'now'): Promise<void> => {
    const next = last.then(() => lookForWork(retries));
    last = next.catch(() => {});
    return next;
  };

  /** Whether only time or a commit can bring work: nobody has asked for a look, and nothing is in progress or to be retried. */
  const mayRest = () =>
    !signal.aborted &&
    asked.rings === seen &&
    inProgress.size === 0 &&
    !isCluster(db) &&
    [...memory.values()].every(({ failures }) => failures === 0);
  /**
   * Waits for `everyMs` or a signal. If it was quiet, waits on until work is due, and asks again when that is after each commit. A
   * commit can only shorten the wait: otherwise commits that come often enough would prolong it forever.
   */
  const rest = async () => {
    let pause = withJitter(everyMs);
    let end = performance.now() + pace.longestSleepMs;
    const msLeft = () => end - performance.now();
    while (true) {
      if (asked.rings === seen) await asked.next(Math.min(pause, msLeft()), signal);
      if (!mayRest() || msLeft() <= 0) return;
      const began = performance.now();
      const before = stirred.rings;
      const seconds = (await oneByOne(db, nextDue)) ?? Number.POSITIVE_INFINITY;
      if (seconds <= 0 || !mayRest()) return;
      pause = Math.max(everyMs - watching.everyMs, (performance.now() - began) * GAP_FACTOR);
      end = Math.min(end, performance.now() + seconds * 1000 + LEAST_SLEEP_MS);
      if (stirred.rings === before && !(await stirred.next(msLeft(), signal))) return;
    }
  };

  const run = async () => {
    for (let failures = 0; !signal.aborted; ) {
      const began = performance.now();
      try {
        await look('when due');
        await rest();
        failures = 0;
      } catch (error) {
        logger.error({ err: error, work: name }, 'background work could not be found');
        failures += 1;
        await sleep(pauseAfter(failures), undefined, { signal }).catch(() => {});
        continue;
      }
      const least = isBehind ? pace.leftGapMs : pace.leastGapMs;
      const gap = Math.min(Math.max(least, searchMs * GAP_FACTOR), everyMs);
      const left = began + gap - performance.now();
      if (left > 0) await sleep(left, undefined, { signal }).catch(() => {});
    }
  };
  const isQuiet = () => asked.rings === seen && inProgress.size === 0;
  const deafen = listen(db, (raised) => {
    if (!wokenBy.includes(raised)) return;
    asked.ring();
    stirred.ring();
  });
  let unwatch = () => {};
  let running: Promise<void> | undefined;
  return {
    start: () => {
      if (running !== undefined) return;
      unwatch = watchCommits(db, logger, () => stirred.ring());
      running = run();
    },
    tick: async () => {
      do {
        await look('now');
        await Promise.all([...inProgress.values()].map((one) => one.ended));
      } while (!isQuiet() && !signal.aborted);
    },
    isQuiet,
    stop: async () => {
      deafen();
      unwatch();
      stopping.abort();
      await running;
      await Promise.all([...inProgress.values()].map((one) => one.ended));
    },
  };
}

const questions = new WeakMap<Db, Promise<unknown>>();

/** After a commit, all loops ask when they have work. One by one, they need one connection, which the pool has open. */
function oneByOne<T>(db: Db, ask: () => Promise<T>): Promise<T> {
  const answer = (questions.get(db) ?? Promise.resolve()).then(ask);
  questions.set(
    db,
    answer.catch(() => {}),
  );
  return answer;
}

/** Does the work of all loops that is due, until they bring each other no more. */
export async function tickAll(loops: readonly Loop[]): Promise<void> {
  for (let due = loops; due.length > 0; due = loops.filter((loop) => !loop.isQuiet()))
    for (const loop of due) await loop.tick();
}

const keyOf = ({ org_id, id }: WorkItem) => id ?? org_id ?? '';

const pauseAfter = (failures: number) =>
  withJitter(Math.min(EVERY_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS));

/** Keeps nodes and items that began together from going on together. */
const withJitter = (ms: number) => ms * (0.9 + 0.2 * Math.random());
