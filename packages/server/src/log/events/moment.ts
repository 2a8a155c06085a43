/**
 * Microseconds since 1970: the precision of PostgreSQL, exact in a double until the year 2255. As a moment,
 * `ingested_at` is the place of an event in its organization's log.
 */
export type Moment = number;

/** Before every event. */
export const BEGINNING: Moment = 0;

/** Formats a moment as ISO 8601 with microseconds, for PostgreSQL and for readers of events. */
export function momentToIso(moment: Moment): string {
  const seconds = new Date(Math.floor(moment / 1_000_000) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(moment % 1_000_000).padStart(6, '0')}Z`;
}
