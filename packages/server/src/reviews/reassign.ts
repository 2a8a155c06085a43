import { type NewEvent, recordEventsFrom } from '../events/record.ts';
import { BY_THE_CLOCK, type Cause, SYSTEM } from '../identity/cause.ts';
import type { PeopleHook } from '../people/people.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { type Reassigned, reassignedEvents } from './queries/item-events.ts';
import * as queries from './queries/reassign.ts';

/**
 * Reassigns the undecided items of people who were deactivated, were deleted or became auditors, in the transaction
 * that changed them.
 */
export const reassignItemsOfLeavers: PeopleHook = async (tx, orgId, events) => {
  const people = events.filter(mayDisqualify).map(({ subject }) => subject.uuid);
  if (people.length > 0) await queries.reassign(tx, orgId, { people });
};

const mayDisqualify = (event: NewEvent): boolean =>
  event.type === 'user.deactivated' ||
  event.type === 'user.deleted' ||
  (event.type === 'user.updated' && event.payload.changes.some(({ field }) => field === 'role'));

/** Reassigns items that the hook missed: those created while their reviewer was being deactivated. */
export async function reassignMissedItems(db: Db): Promise<void> {
  for (const orgId of await queries.organizationsWithLeavers(db)) {
    await transaction(db, async (tx) =>
      recordReassigned(tx, orgId, await queries.reassignAll(tx, orgId), BY_THE_CLOCK),
    );
  }
}

const BY_THE_SYSTEM: Cause = { actor: SYSTEM, source: { type: 'system', uuid: null } };

/** Records the new reviewers of items. Call it last in the transaction. */
export async function recordReassigned(
  tx: Tx,
  orgId: string,
  items: readonly Reassigned[],
  cause = BY_THE_SYSTEM,
): Promise<void> {
  if (items.length > 0) await recordEventsFrom(tx, orgId, reassignedEvents(orgId, items, cause));
}
