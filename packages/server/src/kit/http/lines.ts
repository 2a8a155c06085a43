import { availableParallelism } from 'node:os';

/** How many requests of one line are worked on at the same time (D72). */
export interface LineLimits {
  /** Of an organization, while no other organization sends requests. */
  alone: number;
  /** Of an organization while others do, and of an address whose callers nobody knows. */
  together: number;
}

/** 20 keep the pool of database connections busy. Half of the processors are left to the other organizations. */
const LIMITS: LineLimits = { alone: 20, together: Math.max(1, Math.floor(availableParallelism() / 2)) };

/** An organization counts as sending requests for so long after each of them. */
const ACTIVE_MS = 2000;

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
}

/**
 * Requests wait in a line of their organization, so that many requests of one organization do not delay those of others. `enter` calls
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

  function mostOf({ name, isStranger }: Caller): number {
    if (isStranger) return together;
    const { at } = name === newest.organization ? other : newest;
    return now() - at < ACTIVE_MS ? together : alone;
  }

  function startNext(caller: Caller, line: Line) {
    while (line.running < mostOf(caller)) {
      const start = line.waiting.shift();
      if (start === undefined) return;
      line.running++;
      start();
    }
  }

  function forgetIfEmpty({ name }: Caller, { running, waiting }: Line) {
    if (running === 0 && waiting.length === 0) lines.delete(name);
  }

  return {
    enter(caller: Caller, start: () => void): () => boolean {
      if (!caller.isStranger) note(caller.name);
      const line = lines.get(caller.name) ?? { running: 0, waiting: [] };
      lines.set(caller.name, line);
      line.waiting.push(start);
      startNext(caller, line);
      return () => {
        const place = line.waiting.indexOf(start);
        if (place === -1) return false;
        line.waiting.splice(place, 1);
        forgetIfEmpty(caller, line);
        return true;
      };
    },
    leave(caller: Caller) {
      const line = lines.get(caller.name);
      if (line === undefined) return;
      line.running--;
      startNext(caller, line);
      forgetIfEmpty(caller, line);
    },
    /** Whether a request waits for its turn. */
    hasWaiting: ({ name }: Caller): boolean => (lines.get(name)?.waiting.length ?? 0) > 0,
  };
}

export type Lines = ReturnType<typeof openLines>;
