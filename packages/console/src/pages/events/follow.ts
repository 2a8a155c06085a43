import { plural, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { api, type Item, ok } from '../../api/client.ts';
import { ApiError, detailOf } from '../../api/error.ts';

export type Event = Item<'/api/events/'>;

const EVERY_MS = 3000;
const AFTER_FAILURE_MS = 10_000;
/** Nobody reads a longer page. */
const MOST_ROWS = 1000;

interface Followed {
  /** Events that arrived and are shown, newest first. */
  rows: Event[];
  /** The number of events waiting to be shown. */
  held: number;
  show: () => void;
  /** Why no events arrive at the moment. */
  problem: string | undefined;
}

interface Arrivals {
  rows: Event[];
  held: Event[];
}

const NONE: Arrivals = { rows: [], held: [] };

/**
 * Follows the event log from `start`, a `previous_cursor`, which never expires (D35). Shows new events immediately if the
 * reader is at the top and has not paused. Otherwise holds them, so that the rows do not move while someone reads.
 */
export function useFollow(start: string | undefined, isHeld: () => boolean): Followed {
  const [{ rows, held }, setArrivals] = useState(NONE);
  const [problem, setProblem] = useState<string>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: isHeld is called when events arrive; a new function must not restart following.
  useEffect(() => {
    setArrivals(NONE);
    setProblem(undefined);
    if (start === undefined) return;
    const stopping = new AbortController();
    const arrive = (fresh: Event[]) =>
      setArrivals((now) =>
        isHeld()
          ? { ...now, held: [...fresh, ...now.held].slice(0, MOST_ROWS) }
          : { rows: [...fresh, ...now.held, ...now.rows].slice(0, MOST_ROWS), held: [] },
      );
    void follow(start, arrive, setProblem, stopping.signal);
    return () => stopping.abort();
  }, [start]);

  const show = () =>
    setArrivals((now) => ({ rows: [...now.held, ...now.rows].slice(0, MOST_ROWS), held: [] }));
  return { rows, held: held.length, show, problem };
}

async function follow(
  start: string,
  arrive: (fresh: Event[]) => void,
  report: (problem: string | undefined) => void,
  signal: AbortSignal,
) {
  const limit = 200;
  let wait = EVERY_MS;
  for (let cursor = start; ; ) {
    await new Promise((wake) => setTimeout(wake, wait));
    if (signal.aborted) return;
    try {
      const page = await ok(api.GET('/api/events/', { params: { query: { cursor, limit } }, signal }));
      if (signal.aborted) return;
      cursor = page.previous_cursor;
      wait = page.results.length === limit ? 0 : EVERY_MS;
      if (page.results.length > 0) arrive(page.results);
      report(undefined);
    } catch (error) {
      if (signal.aborted) return;
      const seconds = error instanceof ApiError ? error.retryAfter : null;
      wait = seconds === null ? AFTER_FAILURE_MS : seconds * 1000;
      const [failure, pause] = [detailOf(error), Math.ceil(wait / 1000)];
      report(t`${failure} Trying again in ${plural(pause, { one: '# second', other: '# seconds' })}.`);
    }
  }
}
