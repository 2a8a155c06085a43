import type { OrgDb } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { Hold } from './hold.ts';
import * as queries from './queries/affected.ts';

/** Returns the people of a hold, in pages. */
export const listAffected = (call: Call, hold: Hold, page: Page): Promise<Slice<queries.AffectedRow>> =>
  queries.listAffected(call, hold.id, page);

/** The tasks that a confirmation would let go on and a discard would cancel, and the policies that would decide again. */
export interface Preview {
  tasks: queries.WaitingTasks[];
  policies: queries.HeldBack[];
}

/** Returns what waits in a hold: the tasks that exist, and what policies decide again. */
export const previewHold = async (db: OrgDb, hold: Hold): Promise<Preview> => ({
  tasks: await queries.waitingTasks(db, hold),
  policies: await queries.heldBack(db, hold.id),
});
