import type { OrgDb } from '#kit/database.ts';
import { type Filters, selectionOf } from './filters.ts';
import { type Bucket, countByInterval, extentOfLog } from './queries/histogram.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [1, 5, 15, 30]
  .map((minutes) => minutes * MINUTE)
  .concat(
    [1, 3, 6, 12].map((hours) => hours * HOUR),
    [1, 7, 28, 84, 364].map((days) => days * DAY),
  );
const MOST_BUCKETS = 60;
/**
 * Counting stops here in each catalog. With filters, more events are read than are counted: at most those of the range.
 */
const COUNTED = 200_000;

export interface Histogram {
  /** The length of an interval. */
  seconds: number;
  /** Whether counting stopped before the oldest events. */
  more: boolean;
  /** All intervals of the range, oldest first, also those without events. */
  buckets: { from: Date; count: number }[];
}

/**
 * Counts the events that match the filters, by intervals of equal length: at most 60, aligned with the clock in UTC. A
 * range that ends in the future is cut off: it ends now.
 */
export async function eventHistogram(db: OrgDb, filters: Filters, counted = COUNTED): Promise<Histogram> {
  const selection = selectionOf(filters);
  const { retainedFrom, oldest, newest } = await extentOfLog(db);
  const end = Math.max(Date.now(), newest?.getTime() ?? 0);
  const until = selection.occurredTo === null ? end : Date.parse(selection.occurredTo);
  const to = new Date(Math.min(until, end));
  const from = selection.occurredFrom === null ? oldest : new Date(selection.occurredFrom);
  if (from === null || from > to) return { seconds: MINUTE, more: false, buckets: [] };
  const [first, last] = [from.getTime() / 1000, to.getTime() / 1000];
  const seconds =
    STEPS.find((step) => Math.floor(last / step) - Math.floor(first / step) < MOST_BUCKETS) ??
    Math.ceil((last - first) / (MOST_BUCKETS - 1));
  const found = await countByInterval(db, selection, { from, to, retainedFrom }, seconds, counted);
  const sum = (buckets: Bucket[] = []) => buckets.reduce((total, { count }) => total + count, 0);
  const byInterval = Map.groupBy(found, ({ interval }) => interval);
  const byCatalog = Map.groupBy(found, ({ catalog }) => catalog);
  const begin = Math.floor(first / seconds);
  const length = Math.floor(last / seconds) - begin + 1;
  return {
    seconds,
    more: [...byCatalog.values()].some((buckets) => sum(buckets) >= counted),
    buckets: Array.from({ length }, (_, index) => ({
      from: new Date((begin + index) * seconds * 1000),
      count: sum(byInterval.get(begin + index)),
    })),
  };
}
