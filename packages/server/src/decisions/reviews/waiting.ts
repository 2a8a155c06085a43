import type { OrgDb } from '../../kit/database/organization.ts';
import { reviewersWaitedFor as waitedFor } from './queries/waiting.ts';

/** A person with undecided items. */
export interface Awaited {
  userId: string;
  /** The absent person for whom they review. Null: in their own place. */
  onBehalfOf: string | null;
  /** The number of undecided items that they may decide. */
  items: number;
}

/** Returns the people who have undecided items in an open cycle. */
export const reviewersWaitedFor = (db: OrgDb, cycleId: string): Promise<Awaited[]> => waitedFor(db, cycleId);
