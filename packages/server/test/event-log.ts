import { randomUUID } from 'node:crypto';
import { insertOrganization } from '#directory/access/organization-state.ts';
import { type Database, transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { type EventLog, type EventPage, listEvents } from '#log/events/list.ts';
import { beginEventLog, openEventLog } from '#log/events/log.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { secrets } from './secrets.ts';

/** An event as readers receive it. */
export interface Envelope {
  event_id: string;
  event_type: string;
  event_version: number;
  category: string;
  severity: string;
  occurred_at: string;
  ingested_at: string;
  actor: { type: string; uuid: string | null; ip?: string; user_agent?: string };
  subject: { type: string; uuid: string };
  source: { type: string; uuid: string | null };
  payload: Record<string, unknown>;
}

export type ParsedPage = EventPage & { events: Envelope[] };

/** The log of one organization, in its own database. */
export interface TestLog extends TestDatabase {
  orgId: string;
  log: EventLog;
  record(...events: NewEvent[]): Promise<void>;
  read(query?: Parameters<typeof listEvents>[2], orgId?: string): Promise<ParsedPage>;
}

/** `since` is the first month that the log has a partition for, as in an old installation. */
export async function openTestLog({ since }: { since?: Date } = {}): Promise<TestLog> {
  const test = await openTestDatabase();
  if (since !== undefined)
    await sql`select ensure_event_partitions(${since}::timestamptz::date)`.execute(test.database.db);
  const log = openEventLog(test.database, secrets, () => new Error('The key is dead.'));
  const orgId = await newOrganization(test.database);
  return {
    ...test,
    orgId,
    log,
    record: (...events) => transaction(within(test.database.db, orgId), (tx) => recordEvents(tx, events)),
    read: async (query = {}, org = orgId) => {
      const page = await listEvents(log, { orgId: org, keyId: null }, query);
      return { ...page, events: JSON.parse(`[${page.results}]`) as Envelope[] };
    },
  };
}

/** Adds an organization that has an event log and nothing else. Returns its id. */
export function newOrganization({ db }: Database, slug = `org-${randomUUID()}`): Promise<string> {
  return transaction(db, async (tx) => {
    const id = await insertOrganization(tx, secrets, slug, slug);
    if (id === undefined) throw new Error(`The organization ${slug} already exists.`);
    await beginEventLog(within(tx, id), secrets);
    return id;
  });
}

/** Makes an event with this `payload.name`. */
export const named = (name: string, uuid: string = randomUUID()): NewEvent => ({
  type: 'user.created',
  actor: { type: 'system', uuid: null },
  subject: { type: 'platform_user', uuid },
  source: { type: 'api', uuid: null },
  payload: { user_id: uuid, email: `${name}@example.com`, name },
});

/** Makes a configuration event with this `payload.name`. */
export const namedChange = (name: string, uuid: string = randomUUID()): NewEvent => ({
  type: 'policy.deleted',
  actor: { type: 'system', uuid: null },
  subject: { type: 'system', uuid },
  source: { type: 'api', uuid: null },
  payload: { policy_id: uuid, name },
});

export const namesOf = (events: Envelope[]) => events.map(({ payload }) => String(payload.name));

/** Returns the names of the stored events, newest first. Reads the table directly. */
export async function storedNames({ db }: Database, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select body::jsonb -> 'payload' ->> 'name' as name from event where org_id = ${orgId}
    order by position desc`.execute(db);
  return rows.map(({ name }) => name);
}
