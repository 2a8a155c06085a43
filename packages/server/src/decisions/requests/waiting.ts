import type { OrgDb } from '#kit/database.ts';
import { type Awaited, approversWaitedFor as waitedFor } from './queries/waiting.ts';

/** Returns the people who may decide the current step of a pending ticket and have not yet. */
export const approversWaitedFor = (db: OrgDb, ticketId: string): Promise<Awaited[]> =>
  waitedFor(db, [ticketId]);

/** Returns the same for many tickets, by ticket. Decided tickets are missing. */
export const approversOfTickets = async (
  db: OrgDb,
  ticketIds: readonly string[],
): Promise<Map<string, Awaited[]>> => Map.groupBy(await waitedFor(db, ticketIds), ({ ticketId }) => ticketId);
