import { useEffect, useState } from 'react';
import { api, type Item, ok } from '../../api/client.ts';
import { ApiError, detailOf } from '../../api/error.ts';

export type Event = Item<'/api/events/'>;

const EVERY_MS = 3000;
const AFTER_FAILURE_MS = 10_000;
/** More is a page that nobody reads. */
const MOST_ROWS = 1000;

interface Followed {
  /** New since the following began, newest first, and shown. */
  rows: Event[];
  /** New ones that wait to be shown. */
  held: number;
  show: () => void;
  /** Why there is nothing new just now. */
  trouble: string | undefined;
}

interface Arrivals {
  rows: Event[];
  held: Event[];
}

const NONE: Arrivals = { rows: [], held: [] };

/**
 * Follows the log from `start`, a `previous_cursor`: it can be polled for ever (D35). What is new is shown at once
 * where the reader is at the top and has not paused; otherwise it is held, so that nothing moves under their eyes.
 */
export function useFollow(start: string | undefined, isHeld: () => boolean): Followed {
  const [{ rows, held }, setArrivals] = useState(NONE);
  const [trouble, setTrouble] = useState<string>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: isHeld is asked when something arrives; it does not begin anew.
  useEffect(() => {
    setArrivals(NONE);
    setTrouble(undefined);
    if (start === undefined) return;
    const stopping = new AbortController();
    const arrive = (fresh: Event[]) =>
      setArrivals((now) =>
        isHeld()
          ? { ...now, held: [...fresh, ...now.held].slice(0, MOST_ROWS) }
          : { rows: [...fresh, ...now.held, ...now.rows].slice(0, MOST_ROWS), held: [] },
      );
    void follow(start, arrive, setTrouble, stopping.signal);
    return () => stopping.abort();
  }, [start]);

  const show = () =>
    setArrivals((now) => ({ rows: [...now.held, ...now.rows].slice(0, MOST_ROWS), held: [] }));
  return { rows, held: held.length, show, trouble };
}

async function follow(
  start: string,
  arrive: (fresh: Event[]) => void,
  tell: (trouble: string | undefined) => void,
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
      tell(undefined);
    } catch (error) {
      if (signal.aborted) return;
      const seconds = error instanceof ApiError ? error.retryAfter : null;
      wait = seconds === null ? AFTER_FAILURE_MS : seconds * 1000;
      tell(`${detailOf(error)} Trying again in ${Math.ceil(wait / 1000)} seconds.`);
    }
  }
}
