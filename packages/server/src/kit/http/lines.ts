/** How many requests of one line are worked on at the same time (D72). */
export interface LineLimits {
  /** For an organization, while no other organization sends requests. */
  alone: number;
  /** For an organization while others do, and for an address whose callers nobody knows. */
  together: number;
}

/** 20 keep the pool of database connections busy, and 2 two processors. */
const LIMITS: LineLimits = { alone: 20, together: 2 };

/** An organization counts as sending requests for so long after each of them. */
const ACTIVE_MS = 2000;

/** An organization whose requests have waited for so long without a break sends more than its share. */
const LONG_LINE_MS = 500;
/** The longest rest between two requests of a long line. */
const LONGEST_REST_MS = 250;

/** Whose requests wait in a line. */
export interface Caller {
  /** The id of an organization, or the address of a stranger. */
  name: string;
  /** Somebody without a valid key or session. No organization makes room for strangers. */
  isStranger: boolean;
}

interface Line {
  running: number;
  waiting: (() => void)[];
  /** Since when requests have waited without a break. */
  waitingSince: number | undefined;
  /** When the newest one in progress started. */
  startedAt: number;
  /** Until when none starts. */
  restsUntil: number;
  wakeUp: NodeJS.Timeout | undefined;
}

/**
 * Requests wait in a line of their organization, so that many requests of one organization do not delay those of others. While others are
 * active, a long line has one request in progress, and rests after it for as long as it took: it leaves the others more than half of the
 * process. `enter` calls
 * `start` when the turn of the request has come. Each `enter` must be followed by a `leave` once the work has ended, or by the function that
 * it returns, which takes a request that still waits out of the line.
 */
export function openLines({ alone, together }: LineLimits = LIMITS, now: () => number = Date.now) {
  const lines = new Map<string, Line>();
  let newest = { organization: '', at: Number.NEGATIVE_INFINITY };
  let other = newest;

  function note(organization: string) {
    if (organization !== newest.organization) other = newest;
    newest = { organization, at: now() };
  }

  function hasNeighbors(name: string): boolean {
    const { at } = name === newest.organization ? other : newest;
    return now() - at < ACTIVE_MS;
  }

  const isLong = ({ waitingSince }: Line): boolean =>
    waitingSince !== undefined && now() - waitingSince >= LONG_LINE_MS;

  function mostOf({ name, isStranger }: Caller, line: Line): number {
    if (isStranger) return together;
    if (!hasNeighbors(name)) return alone;
    if (!isLong(line)) return together;
    return now() < line.restsUntil ? 0 : 1;
  }

  function startNext(caller: Caller, line: Line) {
    while (line.waiting.length > 0 && line.running < mostOf(caller, line)) {
      const start = line.waiting.shift();
      if (line.waiting.length === 0) line.waitingSince = undefined;
      line.running++;
      line.startedAt = now();
      start?.();
    }
    // Otherwise, the end of a request in progress starts the next one.
    if (line.waiting.length > 0 && line.running === 0) startAfterRest(caller, line);
  }

  function startAfterRest(caller: Caller, line: Line) {
    line.wakeUp ??= setTimeout(
      () => {
        line.wakeUp = undefined;
        startNext(caller, line);
      },
      Math.max(1, line.restsUntil - now()),
    );
  }

  function forgetIfEmpty({ name }: Caller, { running, waiting, wakeUp }: Line) {
    if (running > 0 || waiting.length > 0) return;
    clearTimeout(wakeUp);
    lines.delete(name);
  }

  return {
    enter(caller: Caller, start: () => void): () => boolean {
      if (!caller.isStranger) note(caller.name);
      const line = lines.get(caller.name) ?? newLine();
      lines.set(caller.name, line);
      line.waitingSince ??= now();
      line.waiting.push(start);
      startNext(caller, line);
      return () => {
        const place = line.waiting.indexOf(start);
        if (place === -1) return false;
        line.waiting.splice(place, 1);
        if (line.waiting.length === 0) line.waitingSince = undefined;
        forgetIfEmpty(caller, line);
        return true;
      };
    },
    leave(caller: Caller) {
      const line = lines.get(caller.name);
      if (line === undefined) return;
      line.running--;
      line.restsUntil = now() + Math.min(now() - line.startedAt, LONGEST_REST_MS);
      startNext(caller, line);
      forgetIfEmpty(caller, line);
    },
    /** Whether others are sending requests at present, who must not wait for this caller. */
    hasNeighbors: ({ name, isStranger }: Caller): boolean => isStranger || hasNeighbors(name),
    /** Whether a request waits for its turn. */
    hasWaiting: ({ name }: Caller): boolean => (lines.get(name)?.waiting.length ?? 0) > 0,
  };
}

const newLine = (): Line => ({
  running: 0,
  waiting: [],
  waitingSince: undefined,
  startedAt: 0,
  restsUntil: 0,
  wakeUp: undefined,
});

export type Lines = ReturnType<typeof openLines>;
