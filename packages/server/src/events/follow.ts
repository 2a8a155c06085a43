import type { Db } from '../platform/database/open.ts';
import type { ContractType } from './catalog.ts';
import type { Moment } from './moment.ts';
import * as queries from './queries/follow.ts';

export { type Moment, momentToIso } from './moment.ts';

/** An event for consumers inside the service. */
export interface FollowedEvent {
  type: ContractType;
  /** Its place in the log. */
  moment: Moment;
  subject: { type: string; uuid: string };
  source: { type: string; uuid: string | null };
  payload: Record<string, unknown>;
}

/**
 * Returns an organization's events of some types of the contract, after one place and up to another, oldest first. A consumer that
 * stores its place in the transaction of its own changes handles each event once: the log is gapless and in commit
 * order (D34), so no event appears later before one that was already read.
 */
export async function eventsBetween(
  db: Db,
  orgId: string,
  range: { after: Moment; to: Moment },
  types: ContractType[],
  limit: number,
): Promise<FollowedEvent[]> {
  const rows = await queries.selectBetween(db, orgId, range, types, limit);
  return rows.map(({ event_type, ingested_at, body }) => {
    const { subject, source, payload } = JSON.parse(body) as Omit<FollowedEvent, 'type' | 'moment'>;
    return { type: event_type as ContractType, moment: ingested_at, subject, source, payload };
  });
}

/** Returns the place of the newest event. */
export const endOfLog = (db: Db, orgId: string): Promise<Moment> => queries.selectEnd(db, orgId);
