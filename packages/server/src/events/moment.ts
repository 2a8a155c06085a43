/**
 * A moment of the log in microseconds since 1970, as precise as PostgreSQL keeps it; a double holds them exactly
 * until the year 2255. `ingested_at` as a moment is an event's place in its organization's log.
 */
export type Moment = number;

/** Before every event. */
export const BEGINNING: Moment = 0;

/** ISO 8601 with microseconds, which PostgreSQL and readers of events both take. */
export function momentToIso(moment: Moment): string {
  const seconds = new Date(Math.floor(moment / 1_000_000) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(moment % 1_000_000).padStart(6, '0')}Z`;
}
