import type { OrgDb } from '#kit/database.ts';
import { pendingOfPeople } from './queries/of-people.ts';
import type { PendingOfPerson } from './ticket.ts';

/** Beyond this number, the tickets of a person are not listed. */
const MOST = 50;

/** Returns the pending tickets for these people. The caller has checked that `deciderId` may know of them. */
export const pendingTicketsOf = (
  db: OrgDb,
  deciderId: string,
  userIds: readonly string[],
): Promise<PendingOfPerson[]> => pendingOfPeople(db, deciderId, userIds, MOST);
