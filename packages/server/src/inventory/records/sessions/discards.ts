import { areDifferent, type ClientId } from './client.ts';
import type { Session } from './session.ts';

/** The sessions of an app that starts by other clients have discarded in a row (D21). Each session keeps those before it. */
export interface Discards {
  count: number;
  /** When the first of them was discarded. */
  since: string;
  /** The clients that had started them. */
  clients: ClientId[];
}

/** With the third session in a row, people are told. */
export const TOLD_AT = 3;

/** Connectors that begin each run with a new key must not make the list long. */
const MOST_CLIENTS = 50;

export interface Previous
  extends Pick<Session, 'status' | 'superseded_by' | 'published_at' | 'finished_at' | 'counts'> {
  client: ClientId | null;
  discards: Discards | null;
}

/** Returns the discards in a row up to a session that `starter` has just started. `previous` is the session before it. */
export function discardsUntil(previous: Previous | undefined, starter: ClientId | null): Discards | null {
  if (previous === undefined || endsRow(previous)) return null;
  const { client, discards: row, superseded_by, finished_at } = previous;
  if (superseded_by === null || finished_at === null || client === null || !areDifferent(client, starter))
    return row;
  const others = (row?.clients ?? []).filter((one) => areDifferent(one, client));
  return {
    count: (row?.count ?? 0) + 1,
    since: row?.since ?? finished_at.toISOString(),
    clients: [...others, client].slice(-MOST_CLIENTS),
  };
}

/**
 * Whether the session has ended the row: its connector has completed it, or a client whose session was discarded has published records
 * by abandoning one. Other abandoned sessions do not help that client.
 */
function endsRow({ status, published_at, counts, client, discards }: Previous): boolean {
  if (status !== 'abandoned') return true;
  const published =
    published_at !== null && counts !== null ? counts.created + counts.updated + counts.unchanged : 0;
  return (
    published > 0 && client !== null && (discards?.clients ?? []).some((one) => !areDifferent(one, client))
  );
}
