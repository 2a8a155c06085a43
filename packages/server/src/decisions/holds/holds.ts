import { accessibleApp } from '#inventory/apps/apps.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, requireAllApps, takeTurnsIn } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import { confirmHeld, rejectHeld } from '#work/provisioning/held.ts';
import { changeDecided } from './events.ts';
import type { HoldFilter } from './filters.ts';
import type { Decision } from './hold.ts';
import * as queries from './queries/holds.ts';
import type { Hold } from './schemas.ts';
import { holdRefusals } from './sentences.ts';

/** Returns the holds of an organization, newest first. */
export const listHolds = (call: Call, filter: HoldFilter, page: Page): Promise<Slice<Hold>> =>
  queries.listHolds(call, filter, page);

/** Counts the open holds of an organization, and says whether there are any, decided ones included. */
export const countHolds = (call: Call): Promise<{ count: number; any: boolean }> => queries.countHolds(call);

/** Holds concern all apps: throws 403 for a key for listed apps (D7), and 404 for an unknown hold. */
export async function getHold(call: Call, id: string): Promise<Hold> {
  requireAllApps(call.principal, 'holds');
  const hold = isUuid(id) ? await queries.findHold(call, id) : undefined;
  if (hold === undefined) throw notFound('Hold');
  return hold;
}

/** Confirms a hold: policies decide again about each of its people. Throws 409 if it was decided. */
export const confirmHold = (call: Call, hold: Hold): Promise<Hold> => decide(call, hold, 'confirmed', null);

/** Discards a hold: what waits is canceled. Throws 409 if it was decided. */
export const discardHold = (call: Call, hold: Hold, reason: string): Promise<Hold> =>
  decide(call, hold, 'discarded', reason);

async function decide(call: Call, hold: Hold, decision: Decision, reason: string | null): Promise<Hold> {
  const { id } = hold;
  if (hold.app !== null) return decideTasks(call, hold, hold.app.id, { decision, reason });
  const { userId } = call.principal;
  await transaction(call, async (tx) => {
    // A change that is being counted belongs to the hold, or comes after the decision.
    await takeTurnsIn(tx);
    const before = await getHold(tx, id);
    const isDecided = await queries.decideHold(tx, id, { decision, by: userId, reason });
    if (!isDecided) throw holdRefusals.hold_decided({ status: before.status });
    const type = decision === 'confirmed' ? 'people.change_confirmed' : 'people.change_discarded';
    await recordEvents(tx, [changeDecided(type, { ...before, reason }, call.cause)]);
  });
  return getHold(call, id);
}

/** Decides about the tasks of an app that exceed its daily budget. */
async function decideTasks(
  call: Call,
  { id, status }: Hold,
  appId: string,
  { decision, reason }: { decision: Decision; reason: string | null },
): Promise<Hold> {
  if (status !== 'open') throw holdRefusals.hold_decided({ status });
  const app = await accessibleApp(call.db, call.principal, appId);
  await (decision === 'confirmed' ? confirmHeld(call, app, null) : rejectHeld(call, app, null, reason));
  return getHold(call, id);
}
