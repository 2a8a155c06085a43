import { type Api, type Event, fetchPage, type Page } from './events-api.ts';
import { type Position, readPosition, writePosition } from './events-cursor-file.ts';

export interface TailOptions extends Api {
  /** Where the position is kept from one run to the next. */
  cursorFile: string | undefined;
  /** Without a position: everything there is, newest first, or only what comes. */
  from: 'all' | 'now';
  /** Query parameters of contract 4.11, but for cursor and limit. */
  filters: Record<string, string>;
  /** End when caught up, instead of waiting for more. */
  once: boolean;
  /** Seconds to wait when there is nothing new (contract 6.4). */
  interval: number;
}

export interface TailEnvironment {
  /** Resolves when the lines are out of this process. */
  write(lines: Event[]): Promise<void>;
  /** Something worth telling that is no event. */
  tell(message: string): void;
  signal: AbortSignal;
  /** Waits that many seconds, or until the signal. */
  pause(seconds: number): Promise<void>;
}

const LIMIT = '200';
const LONGEST_BACKOFF = 60;

/**
 * Follows the log. The position is stored after its page was written out, never before: a crash in between repeats
 * a page, which consumers drop by event_id, and loses none.
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
  const kept = options.cursorFile === undefined ? undefined : await readPosition(options.cursorFile);
  if (kept !== undefined || options.from === 'all') return kept;
  // Above the newest event there is nothing yet; the walk upwards from there is what comes.
  const page = await persistentPage({ ...options }, undefined, environment, '1');
  return page === undefined ? undefined : { cursor: page.previous_cursor, follows: 'previous_cursor' };
}

/** Asks until there is an answer; undefined where the signal came first. */
async function persistentPage(
  options: TailOptions,
  position: Position | undefined,
  { signal, pause, tell }: TailEnvironment,
  limit = LIMIT,
): Promise<Page | undefined> {
  const query = { ...options.filters, limit, ...(position === undefined ? {} : { cursor: position.cursor }) };
  for (let backoff = 1; !signal.aborted; backoff = Math.min(backoff * 2, LONGEST_BACKOFF)) {
    const answer = await fetchPage(options, query, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (answer === undefined) return undefined;
    if (answer.kind === 'page') {
      if (answer.retainedFrom !== null) tell(`Retention has removed events before ${answer.retainedFrom}.`);
      return answer.page;
    }
    const seconds = answer.seconds ?? backoff;
    tell(`${answer.reason}; trying again in ${seconds} s.`);
    await pause(seconds);
  }
  return undefined;
}
