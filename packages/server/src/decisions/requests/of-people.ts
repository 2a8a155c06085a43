import type { OrgDb } from '../../kit/database/organization.ts';
import { pendingOfPeople } from './queries/of-people.ts';

/** A pending ticket for a person, as another person sees it who may know that it exists. */
export interface PendingOfPerson {
  user: string;
  external_uuid: string;
  label: string;
  created_at: Date;
  /** Whether the other person can decide it now. */
  to_decide: boolean;
  /** Whether the other person requested or filed it. */
  is_own: boolean;
}

/** Beyond this number, the tickets of a person are not listed. */
const MOST = 50;

/** Returns the pending tickets for these people. The caller has checked that `deciderId` may know of them. */
export const pendingTicketsOf = (
  db: OrgDb,
  deciderId: string,
  userIds: readonly string[],
): Promise<PendingOfPerson[]> => pendingOfPeople(db, deciderId, userIds, MOST);
