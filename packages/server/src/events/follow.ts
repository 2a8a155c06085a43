import type { Db } from '../platform/database/open.ts';
import type { EventType } from './catalog.ts';
import type { Moment } from './moment.ts';
import * as queries from './queries/follow.ts';

export { type Moment, momentToIso } from './moment.ts';

/** An event as whoever follows the log from inside reads it. */
export interface FollowedEvent {
  type: EventType;
  /** Its place in the log. */
  moment: Moment;
  subject: { type: string; uuid: string };
  source: { type: string; uuid: string | null };
  payload: Record<string, unknown>;
}

/**
 * What an organization's log holds of these types behind one place and up to another, oldest first. Whoever stores
 * the place in the transaction of what they did about it acts on each event once: the log is in commit order and
 * without gaps (D34), so that nothing can still appear before an event that was read.
 */
export async function eventsBetween(
  db: Db,
  orgId: string,
  range: { after: Moment; to: Moment },
  types: EventType[],
  limit: number,
): Promise<FollowedEvent[]> {
  const rows = await queries.selectBehind(db, orgId, range, types, limit);
  return rows.map(({ event_type, ingested_at, body }) => {
    const { subject, source, payload } = JSON.parse(body) as Omit<FollowedEvent, 'type' | 'moment'>;
    return { type: event_type as EventType, moment: ingested_at, subject, source, payload };
  });
}

/** The place of the newest event: as far as the log can be followed now. */
export const endOfLog = (db: Db, orgId: string): Promise<Moment> => queries.selectEnd(db, orgId);
