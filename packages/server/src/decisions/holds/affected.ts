import type { OrgDb } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import * as queries from './queries/affected.ts';
import type { Hold, HoldPerson, HoldPreview } from './schemas.ts';

/** Returns the people of a hold, in pages. */
export const listAffected = (call: Call, hold: Hold, page: Page): Promise<Slice<HoldPerson>> =>
  queries.listAffected(call, hold.id, page);

/** Returns what waits in a hold: the tasks that exist, and what policies decide again. */
export const previewHold = async (db: OrgDb, hold: Hold): Promise<HoldPreview> => ({
  tasks: await queries.waitingTasks(db, hold),
  policies: await queries.heldBack(db, hold.id),
});
