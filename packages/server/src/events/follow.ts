import type { Database, Db } from '../platform/database/open.ts';
import { type CatalogName, type ContractType, catalogOf, type EventType } from './catalog.ts';
import { type Filters, selectionOf } from './filters.ts';
import type { Moment } from './moment.ts';
import * as queries from './queries/follow.ts';
import { selectForward } from './queries/page.ts';

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

/** An event of either catalog. */
export interface LoggedEvent extends Omit<FollowedEvent, 'type'> {
  id: string;
  type: EventType;
  at: Date;
  actor: { type: string; uuid: string | null; ip?: string; user_agent?: string };
}

/** Returns an organization's events of some types of both catalogs, like eventsBetween. */
export async function anyEventsBetween(
  db: Db,
  orgId: string,
  range: { after: Moment; to: Moment },
  types: readonly EventType[],
  limit: number,
): Promise<LoggedEvent[]> {
  const of = (name: CatalogName) => types.filter((type) => catalogOf(type) === name);
  const rows = [
    ...(await queries.selectBetween(db, orgId, range, of('contract'), limit)),
    ...(await queries.selectBetween(db, orgId, range, of('configuration'), limit, 'event_configuration')),
  ];
  // Both lists are complete up to their ends, and so is what both have up to `limit`.
  rows.sort((a, b) => a.ingested_at - b.ingested_at);
  return rows.slice(0, limit).map(({ event_id, event_type, ingested_at, body }) => ({
    ...(JSON.parse(body) as Pick<LoggedEvent, 'actor' | 'subject' | 'source' | 'payload'>),
    id: event_id,
    type: event_type as EventType,
    moment: ingested_at,
    at: new Date(ingested_at / 1000),
  }));
}

/** Returns an event of one type, or undefined if the log does not have it. */
export async function findEvent(
  db: Db,
  orgId: string,
  type: EventType,
  id: string,
): Promise<LoggedEvent | undefined> {
  const place = await placeOf(db, orgId, id);
  if (place === undefined) return undefined;
  return (await anyEventsBetween(db, orgId, { after: place - 1, to: place }, [type], 1))[0];
}

/** Returns when each person was last named by an event about a subject that is not in the protocol's catalog. */
export async function newestByPerson(
  db: Db,
  orgId: string,
  type: EventType,
  subject: string,
  where: Record<string, string>,
): Promise<Map<string, Date>> {
  const rows = await queries.selectNewestBy(db, orgId, { type, subject, where, by: 'user_id' });
  return new Map(rows.map(({ value, at }) => [value, at]));
}

/** Returns the place of the newest event. */
export const endOfLog = (db: Db, orgId: string): Promise<Moment> => queries.selectEnd(db, orgId);

/** An event of either catalog, for receivers outside the service. */
export interface SentEvent {
  id: string;
  type: string;
  occurredAt: string;
  /** Its place in the log. */
  moment: Moment;
  /** JSON text: the event as the events API returns it. */
  body: string;
}

export interface ForwardPage {
  /** Oldest first. */
  events: SentEvent[];
  /** The place of the newest event, whether it matches or not. */
  end: Moment;
  /** The log has no events from before this moment. */
  retainedFrom: Moment;
}

/** Returns the events after a place that the filters of the events API select. */
export async function eventsAfter(
  database: Pick<Database, 'prepared'>,
  orgId: string,
  filters: Filters,
  after: Moment,
  limit: number,
): Promise<ForwardPage> {
  const range = { after, before: null, limit, from: 'bottom' } as const;
  const rows = await selectForward(database, orgId, selectionOf(filters), range);
  const events = rows.flatMap(({ body, moment }) => {
    if (body === null || moment === null) return [];
    const { event_id: id, event_type: type, occurred_at: occurredAt } = JSON.parse(body);
    return [{ id, type, occurredAt, moment, body }];
  });
  return { events, end: rows[0]?.head ?? 0, retainedFrom: rows[0]?.retained_from ?? 0 };
}

/** Returns the place of an event, or undefined if the log does not have it. */
export const placeOf = (db: Db, orgId: string, eventId: string): Promise<Moment | undefined> =>
  queries.selectPlace(db, orgId, eventId);
