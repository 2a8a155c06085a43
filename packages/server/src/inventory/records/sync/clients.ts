import type { OrgDb } from '../../../kit/database/organization.ts';
import { invalid } from '../../../kit/errors.ts';
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
  const reason =
    superseded_by === null ? '' : ` A newer session has replaced it. ${await supersession(db, id, reader)}`;
  throw invalid(
    `The sync session is ${status}; this step requires a session that is in_progress.${reason}`.trimEnd(),
  );
}

/** Says who has superseded a session and when, and what to do about it. */
export async function supersession(db: OrgDb, sessionId: string, reader: NameReader): Promise<string> {
  const { client = null, superseded = null } =
    (await clientsOf(db, [sessionId], reader)).get(sessionId) ?? {};
  if (superseded === null) return '';
  const { at, by } = superseded;
  const isOther = areDifferent(client, by);
  const started = `${isOther ? otherClient(by) : sameClient(by)} started it at ${at.toISOString()}.`;
  return isOther ? `${started} ${ADVICE}` : started;
}

const ADVICE = 'If two connectors send this app, stop one of them, or give each an app of its own.';

function otherClient(client: Client | null): string {
  const name = client?.name ?? null;
  if (client?.type === 'connector') return 'The managed connector of the app';
  if (client?.type === 'person')
    return name === null ? 'A person with an upload' : `"${name}" with an upload`;
  return name === null ? 'Another API key' : `The API key "${name}"`;
}

function sameClient(client: Client | null): string {
  if (client?.type === 'connector') return 'A newer run of the managed connector';
  if (client?.type === 'person') return 'The same person';
  return client === null ? 'A client' : 'The same API key';
}
