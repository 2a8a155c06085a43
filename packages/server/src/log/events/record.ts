import { type OrgDb, type OrgTx, postpone, raise, writePostponed } from '#kit/database.ts';
import type { Actor } from '#kit/identity.ts';
import { canonicalIp } from '#kit/ip.ts';
import type { RawBuilder } from '#kit/sql.ts';
import { canonicalJson } from './canonical.ts';
import {
  catalog,
  categoryOf,
  EVENT_TYPES,
  type EventType,
  type Payload,
  type SourceOf,
  type SubjectOf,
  severityOf,
} from './catalog.ts';
import { appendEvents, appendEventsFrom, type EventRow } from './queries/append.ts';

/** An event of one type, before it is recorded. */
export interface NewEventOf<T extends EventType> {
  type: T;
  actor: Actor;
  subject: { type: SubjectOf<T>; uuid: string };
  source: { type: SourceOf<T>; uuid: string | null };
  payload: Payload<T>;
  /** When it happened, if earlier than the moment of recording. */
  occurredAt?: Date | undefined;
}

/** An event of the catalog. Its type determines payload, subject and source; others do not compile. */
export type NewEvent = { [T in EventType]: NewEventOf<T> }[EventType];

/** Callers must not be able to fill the log with long headers. */
const LONGEST_USER_AGENT = 512;

/**
 * Appends events to the organization's log, in this order, at the next positions (D34). Writing them locks the head of the log, and
 * other writers wait until `tx` ends. So `transaction()` writes all events of `tx` with its last statement, which it sends together
 * with the commit.
 */
export async function recordEvents(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(rowOf);
  if (!postpone(tx, rows, appendEvents)) await appendEvents(tx, rows).execute(tx);
  raise(tx, 'events');
}

/** Records events that belong to no other change, in one statement: other writers wait one round trip less. */
export async function recordAlone(db: OrgDb, events: readonly NewEvent[]): Promise<void> {
  await appendEvents(db, events.map(rowOf)).execute(db);
  raise(db, 'events');
}

/**
 * Appends the rows of `query` in their order, inside the database, for set-based writers. Its columns are
 * `event_type text, occurred_at timestamptz` (null: now), `actor text, subject_type text, subject_uuid uuid,
 * source_type text, source_uuid uuid, payload text`; actorText() and jsonObject() make the texts. Call it LAST before commit: it locks the head of the log immediately. Returns
 * the number of events.
 */
export async function recordEventsFrom(tx: OrgTx, query: RawBuilder<unknown>): Promise<number> {
  await writePostponed(tx);
  const count = await appendEventsFrom(tx, TYPES, query);
  if (count > 0) raise(tx, 'events');
  return count;
}

/** Returns the text of an event of a type, its members in the order of RFC 8785. append_events() fills in the rest. */
const templateOf = (type: EventType) =>
  `{"actor":%s,"category":"${categoryOf(type)}","event_id":"%%s","event_type":"${type}","event_version":${catalog[type].version},` +
  `"ingested_at":"%%s","occurred_at":"%%s","payload":%s,"severity":"${severityOf(type)}","source":%s,"subject":%s}`;

const TYPES = { names: EVENT_TYPES, templates: EVENT_TYPES.map(templateOf) };
const TEMPLATES = new Map(EVENT_TYPES.map((type) => [type, templateOf(type)]));

/** Returns an actor as set-based writers pass it. */
export const actorText = (actor: Actor): string => canonicalJson(actorField(actor));

function actorField({ type, uuid, ip, user_agent }: Actor) {
  return {
    type,
    uuid,
    ...(ip ? { ip: canonicalIp(ip) } : {}),
    ...(user_agent ? { user_agent: user_agent.slice(0, LONGEST_USER_AGENT) } : {}),
  };
}

function rowOf({ type, actor, subject, source, payload, occurredAt }: NewEvent): EventRow {
  return {
    event_type: type,
    template: TEMPLATES.get(type) ?? '',
    occurred_at: occurredAt?.toISOString() ?? null,
    actor: canonicalJson(actorField(actor)),
    payload: canonicalJson(payload),
    source_type: source.type,
    source_uuid: source.uuid,
    subject_type: subject.type,
    subject_uuid: subject.uuid,
  };
}
