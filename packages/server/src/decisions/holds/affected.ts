import type { Page, Slice } from '../../kit/http/lists.ts';
import type { Call } from '../../kit/identity/call.ts';
import { getHold } from './holds.ts';
import * as queries from './queries/affected.ts';

/** Lists the people of a hold. Throws 404 for an unknown hold. */
export async function listAffected(
  call: Call,
  holdId: string,
  page: Page,
): Promise<Slice<queries.AffectedRow>> {
  await getHold(call, holdId);
  return queries.listAffected(call, holdId, page);
}

/** The tasks that a confirmation would let go on and a discard would cancel, and the policies that would decide again. */
export interface Preview {
  tasks: queries.WaitingTasks[];
  policies: queries.HeldBack[];
}

/** Returns what waits in a hold: the tasks that exist, and what policies decide again. */
export async function previewHold(call: Call, holdId: string): Promise<Preview> {
  const hold = await getHold(call, holdId);
  return {
    tasks: await queries.waitingTasks(call, hold),
    policies: await queries.heldBack(call, holdId),
  };
}
