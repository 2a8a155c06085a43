import type { OrgDb } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import { recordRefusals, supersessionSentences } from '../sentences.ts';
import { areDifferent, type Client, mayKnowNames, type NameReader } from './client.ts';
import type { Discards } from './discards.ts';
import * as queries from './queries/clients.ts';
import type { Session } from './session.ts';

/** The clients that started and superseded a session. */
export interface Clients {
  client: Client | null;
  superseded: { at: Date; by: Client | null } | null;
  discards: Discards | null;
}

/** Returns the clients of these sessions, by session, with the names that the reader may know. */
export async function clientsOf(
  db: OrgDb,
  sessionIds: readonly string[],
  reader: NameReader,
): Promise<Map<string, Clients>> {
  const named = mayKnowNames(reader);
  const rows = sessionIds.length === 0 ? [] : await queries.clientsOf(db, sessionIds);
  const of = (type: Client['type'] | null, id: string | null, name: string | null): Client | null => {
    const client = queries.clientIdOf(type, id);
    return client && { ...client, name: named || type === 'connector' ? name : null };
  };
  return new Map(
    rows.map((row) => [
      row.session_id,
      {
        client: of(row.client_type, row.client_id, row.client_name),
        superseded: row.superseded_at && {
          at: row.superseded_at,
          by: of(row.by_type, row.by_id, row.by_name),
        },
        discards: row.discards,
      },
    ]),
  );
}

/** Throws 400 for a session that is not in progress. Says who has superseded it, if the reader may know. */
export async function requireInProgress(
  db: OrgDb,
  { id, status, superseded_by }: Session,
  reader: NameReader,
): Promise<void> {
  if (status === 'in_progress') return;
  if (superseded_by === null) throw recordRefusals.session_not_in_progress({ status });
  const who = await supersession(db, id, reader);
  throw who === undefined
    ? recordRefusals.session_replaced({ status })
    : recordRefusals.session_replaced_by({ status, who });
}

/** Says who has superseded a session and when, and what to do about it. Undefined if nobody has. */
export async function supersession(
  db: OrgDb,
  sessionId: string,
  reader: NameReader,
): Promise<Sentence | undefined> {
  const { client = null, superseded = null } =
    (await clientsOf(db, [sessionId], reader)).get(sessionId) ?? {};
  if (superseded === null) return undefined;
  const { by } = superseded;
  const at = superseded.at.toISOString();
  return areDifferent(client, by) ? byAnother(by, at) : bySame(by, at);
}

function byAnother(client: Client | null, at: string): Sentence {
  const name = client?.name ?? null;
  const said = supersessionSentences;
  if (client?.type === 'connector') return said.superseded_by_managed_connector({ at });
  if (client?.type === 'person')
    return name === null ? said.superseded_by_an_upload({ at }) : said.superseded_by_upload_of({ name, at });
  return name === null ? said.superseded_by_another_key({ at }) : said.superseded_by_key({ name, at });
}

function bySame(client: Client | null, at: string): Sentence {
  const said = supersessionSentences;
  if (client?.type === 'connector') return said.superseded_by_newer_run({ at });
  if (client?.type === 'person') return said.superseded_by_same_person({ at });
  return client === null ? said.superseded_by_a_client({ at }) : said.superseded_by_same_key({ at });
}
