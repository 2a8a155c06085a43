import type { Database, OrgDb } from '#kit/database.ts';
import { type Stretch, stretchOf } from '#kit/loops/follow.ts';
import { type CatalogName, catalogOf, type EventType } from './catalog.ts';
import { endOfLog, placeOf } from './facts.ts';
import { type Filters, selectionOf } from './filters.ts';
import type { Moment } from './moment.ts';
import { selectBetween } from './queries/follow.ts';
import { selectForward } from './queries/page.ts';

export { type Moment, momentToIso } from './moment.ts';

/** An event of either catalog, for followers inside the service. */
export interface LoggedEvent {
  id: string;
  type: EventType;
  /** Its place in the log. */
  moment: Moment;
  at: Date;
  actor: { type: string; uuid: string | null; ip?: string; user_agent?: string };
  subject: { type: string; uuid: string };
  source: { type: string; uuid: string | null };
  payload: Record<string, unknown>;
}

/**
 * Reads an organization's next events of some types, up to a place or to the end of the log as it is now. The log is gapless and in
 * commit order (D34), so no event appears later before one that was already read.
 */
export async function readLog(
  db: OrgDb,
  { after, to }: { after: Moment; to?: Moment },
  types: readonly EventType[],
  limit: number,
): Promise<Stretch<LoggedEvent>> {
  const end = to ?? (await endOfLog(db));
  return stretchOf(await eventsBetween(db, { after, to: end }, types, limit), limit, end);
}

async function eventsBetween(
  db: OrgDb,
  range: { after: Moment; to: Moment },
  types: readonly EventType[],
  limit: number,
): Promise<LoggedEvent[]> {
  const select = (name: CatalogName) => {
    const wanted = types.filter((type) => catalogOf(type) === name);
    return wanted.length === 0 ? [] : selectBetween(db, range, wanted, limit, `event_${name}`);
  };
  const rows = [...(await select('contract')), ...(await select('configuration'))];
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
export async function findEvent(db: OrgDb, type: EventType, id: string): Promise<LoggedEvent | undefined> {
  const place = await placeOf(db, id);
  if (place === undefined) return undefined;
  return (await eventsBetween(db, { after: place - 1, to: place }, [type], 1))[0];
}

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

/**
 * Reads the next events that the filters of the events API select, for receivers outside the service. The log has no events from
 * before `retainedFrom`.
 */
export async function readLogAsSent(
  database: Pick<Database, 'prepared'>,
  orgId: string,
  filters: Filters,
  after: Moment,
  limit: number,
): Promise<Stretch<SentEvent> & { retainedFrom: Moment }> {
  const range = { after, before: null, limit, from: 'bottom' } as const;
  const rows = await selectForward(database, orgId, selectionOf(filters), range);
  const events = rows.flatMap(({ body, moment }) => {
    if (body === null || moment === null) return [];
    const { event_id: id, event_type: type, occurred_at: occurredAt } = JSON.parse(body);
    return [{ id, type, occurredAt, moment, body }];
  });
  return { ...stretchOf(events, limit, rows[0]?.head ?? 0), retainedFrom: rows[0]?.retained_from ?? 0 };
}
