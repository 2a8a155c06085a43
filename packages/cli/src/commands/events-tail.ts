import { type Api, type Event, type EventPage, fetchPage } from './events-api.ts';
import { type Position, readPosition, requireWritable, writePosition } from './events-cursor-file.ts';

export interface TailOptions extends Api {
  /** File that keeps the position between runs. */
  cursorFile: string | undefined;
  /** Without a position: `all` reads the existing events first, `now` only new ones. */
  from: 'all' | 'now';
  /** Query parameters of the events list (protocol 4.11), except cursor and limit. */
  filters: Record<string, string>;
  /** Stops when caught up, instead of waiting for new events. */
  once: boolean;
  /** Seconds to wait when there are no new events (protocol 6.4). */
  interval: number;
}

export interface TailEnvironment {
  /** Resolves when the reader of this process has the events. */
  write(lines: Event[]): Promise<void>;
  /** Reports a problem or a retry. */
  report(message: string): void;
  signal: AbortSignal;
  /** Waits for this many seconds or until the signal. */
  pause(seconds: number): Promise<void>;
}

const LIMIT = '200';
const LONGEST_BACKOFF = 60;

/**
 * Follows the event log. Saves the position only after its page was written: a crash in between repeats a page, which
 * consumers drop by event_id, and loses no event.
 */
export async function tail(options: TailOptions, environment: TailEnvironment): Promise<void> {
  const { signal, pause, write } = environment;
  let position = await startPosition(options, environment);
  while (!signal.aborted) {
    const page = await persistentPage(options, position, environment);
    if (page === undefined) return;
    if (page.results.length > 0) await write(page.results);
    const cursor = position?.follows === 'previous_cursor' ? page.previous_cursor : page.next_cursor;
    position = { cursor, follows: position?.follows ?? 'next_cursor' };
    if (options.cursorFile !== undefined) await writePosition(options.cursorFile, position);
    if (page.results.length > 0) continue;
    if (options.once) return;
    await pause(options.interval);
  }
}

async function startPosition(
  options: TailOptions,
  environment: TailEnvironment,
): Promise<Position | undefined> {
  const { cursorFile } = options;
  const kept = cursorFile === undefined ? undefined : await readPosition(cursorFile);
  if (cursorFile !== undefined) await requireWritable(cursorFile);
  if (kept !== undefined || options.from === 'all') return kept;
  // previous_cursor of the newest event leads to the events that come after it.
  const page = await persistentPage({ ...options }, undefined, environment, '1');
  return page === undefined ? undefined : { cursor: page.previous_cursor, follows: 'previous_cursor' };
}

/** Retries until the service returns a page. Returns undefined if the signal comes first. */
async function persistentPage(
  options: TailOptions,
  position: Position | undefined,
  { signal, pause, report }: TailEnvironment,
  limit = LIMIT,
): Promise<EventPage | undefined> {
  const query = { ...options.filters, limit, ...(position === undefined ? {} : { cursor: position.cursor }) };
  for (let backoff = 1; !signal.aborted; backoff = Math.min(backoff * 2, LONGEST_BACKOFF)) {
    const outcome = await fetchPage(options, query, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (outcome === undefined) return undefined;
    if (outcome.kind === 'page') {
      if (outcome.retainedFrom !== null)
        report(`Retention has removed events before ${outcome.retainedFrom}.`);
      return outcome.page;
    }
    const seconds = outcome.seconds ?? backoff;
    report(`Retrying in ${seconds} s: ${outcome.reason}`);
    await pause(seconds);
  }
  return undefined;
}
