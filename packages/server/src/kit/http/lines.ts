/** How many requests of one organization are worked on at the same time (D72). */
export interface LineLimits {
  /** While no other organization sends requests. */
  alone: number;
  /** While others do. */
  together: number;
}

/** 20 keep the pool of database connections busy, and 2 two processors. */
const LIMITS: LineLimits = { alone: 20, together: 2 };

/** An organization counts as sending requests for so long after each of them. */
const ACTIVE_MS = 2000;

interface Line {
  running: number;
  waiting: (() => void)[];
}

/**
 * Requests wait in a line of their organization, so that many requests of one organization do not delay those of others. `enter` calls
 * `start` when the turn of the request has come. Each `enter` must be followed by a `leave` once the work has ended.
 */
export function openLines({ alone, together }: LineLimits = LIMITS, now: () => number = Date.now) {
  const lines = new Map<string, Line>();
  let newest = { organization: '', at: Number.NEGATIVE_INFINITY };
  let other = newest;

  function note(organization: string) {
    if (organization !== newest.organization) other = newest;
    newest = { organization, at: now() };
  }

  function mostOf(organization: string): number {
    const { at } = organization === newest.organization ? other : newest;
    return now() - at < ACTIVE_MS ? together : alone;
  }

  function startNext(organization: string, line: Line) {
    while (line.running < mostOf(organization)) {
      const start = line.waiting.shift();
      if (start === undefined) return;
      line.running++;
      start();
    }
  }

  return {
    enter(organization: string, start: () => void) {
      note(organization);
      const line = lines.get(organization) ?? { running: 0, waiting: [] };
      lines.set(organization, line);
      line.waiting.push(start);
      startNext(organization, line);
    },
    leave(organization: string) {
      const line = lines.get(organization);
      if (line === undefined) return;
      line.running--;
      startNext(organization, line);
      if (line.running === 0 && line.waiting.length === 0) lines.delete(organization);
    },
  };
}
