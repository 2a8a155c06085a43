import type { PeopleHook } from '#directory/people/people.ts';
import { type Db, type OrgTx, transaction, within } from '#kit/database.ts';
import { BY_THE_CLOCK, type Cause, SYSTEM } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { itemReassigned } from '../campaigns/events.ts';
import * as queries from './queries/reassign.ts';

/**
 * Reassigns the undecided items of people who were deactivated, were deleted or became auditors, in the transaction
 * that changed them.
 */
export const reassignItemsOfLeavers: PeopleHook = async (tx, events) => {
  const people = events.filter(mayDisqualify).map(({ subject }) => subject.uuid);
  return people.length === 0 ? [] : reassignItems(tx, { people });
};

const BY_THE_SYSTEM: Cause = { actor: SYSTEM, source: { type: 'system', uuid: null } };

/** Reassigns the items of these people or of one cycle. Returns the events, which the caller records last. */
export async function reassignItems(
  tx: OrgTx,
  whose: { people: string[] } | { cycleId: string },
): Promise<NewEvent[]> {
  const items = await queries.reassign(tx, whose);
  return items.map((item) => itemReassigned(item, BY_THE_SYSTEM));
}

const mayDisqualify = (event: NewEvent): boolean =>
  event.type === 'user.deactivated' ||
  event.type === 'user.deleted' ||
  (event.type === 'user.updated' && event.payload.changes.some(({ field }) => field === 'role'));

/** Reassigns items that the hook missed: those created while their reviewer was being deactivated. */
export async function reassignMissedItems(db: Db): Promise<void> {
  for (const orgId of await queries.organizationsWithLeavers(db)) {
    await transaction(within(db, orgId), async (tx) => {
      const items = await queries.reassignAll(tx);
      await recordEvents(
        tx,
        items.map((item) => itemReassigned(item, BY_THE_CLOCK)),
      );
    });
  }
}
