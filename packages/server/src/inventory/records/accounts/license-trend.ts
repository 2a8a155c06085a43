import type { OrgDb } from '#kit/database.ts';
import * as queries from './queries/license-trend.ts';

const POINTS = 24;

/**
 * Returns how many licenses of an app were assigned at up to 24 times of the last 12 months, oldest first. Licenses
 * without a limit of seats are left out if there are others. `licenseId` null: all licenses of the app.
 */
export async function licenseTrend(db: OrgDb, appId: string, licenseId: string | null) {
  const all = await queries.existingLicenses(db, appId, licenseId);
  const limited = all.filter(({ seats }) => seats !== null);
  const counted = limited.length > 0 ? limited : all;
  const span = await queries.knownSpan(db, appId);
  const times = span === undefined || counted.length === 0 ? [] : timesIn(span);
  const ids = counted.map(({ id }) => id);
  const periods = times.length === 0 ? [] : await queries.assignedPeriods(db, ids, times);
  return {
    licenses: counted.length,
    left_out: all.length - counted.length,
    seats: limited.length === 0 ? null : limited.reduce((sum, { seats }) => sum + (seats ?? 0), 0),
    results: times.map((at, index) => ({
      as_of: new Date(at),
      assigned: periods
        .filter(({ before, until }) => before <= index && (until === null || until > index))
        .reduce((sum, { count }) => sum + count, 0),
    })),
  };
}

/** Returns evenly spaced times from the first to the last one, at least a minute apart if there are more than two. */
function timesIn({ first, last }: queries.Span): string[] {
  const [begin, end] = [Date.parse(first), Date.parse(last)];
  const steps = Math.max(1, Math.min(POINTS - 1, Math.floor((end - begin) / 60_000)));
  const between = Array.from({ length: steps - 1 }, (_, step) =>
    new Date(begin + ((end - begin) * (step + 1)) / steps).toISOString(),
  );
  return [first, ...between, last];
}
