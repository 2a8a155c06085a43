import type { OrgDb } from '#kit/database.ts';
import type { Role } from '#kit/identity.ts';
import { type Awaited, isAdministrator } from '../campaigns/cycle.ts';
import { findReviewingPerson } from '../reviewers/queries/reviewing.ts';
import { reviewersWaitedFor as waitedFor } from '../reviewers/queries/waiting.ts';
import { withUndecidedItemsFor } from './queries/cycles.ts';

/** Returns those of the cycles that are open and in which the person has undecided items. */
export const cyclesWaitingFor = async (
  db: OrgDb,
  cycleIds: readonly string[],
  { id, role }: { id: string; role: Role },
): Promise<Set<string>> =>
  withUndecidedItemsFor(db, cycleIds, await findReviewingPerson(db, id, isAdministrator({ role })));

/** Returns the people who have undecided items in an open cycle. */
export const reviewersWaitedFor = (db: OrgDb, cycleId: string): Promise<Awaited[]> => waitedFor(db, cycleId);
