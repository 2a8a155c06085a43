import { deletedPeople } from '../events/deleted-people.ts';
import { type NewEvent, recordEvents } from '../events/record.ts';
import { BY_THE_CLOCK, type Cause, SYSTEM } from '../identity/cause.ts';
import { namedElsewhere, type PeopleHook } from '../people/people.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { itemReassigned } from './events.ts';
import { forgetCreators } from './queries/campaigns.ts';
import { areNamed, removeEscalations } from './queries/deleted-people.ts';
import * as queries from './queries/reassign.ts';

/**
 * Reassigns the undecided items of people who were deactivated, were deleted or became auditors, in the transaction
 * that changed them.
 */
export const reassignItemsOfLeavers: PeopleHook = async (tx, orgId, events) => {
  const people = events.filter(mayDisqualify).map(({ subject }) => subject.uuid);
  return people.length === 0 ? [] : reassignItems(tx, orgId, { people });
};

/**
 * A people hook: people for whom another person decided, or who could have decided an escalated item, are not deleted.
 * Campaigns and undecided items stay, without the deleted people.
 */
export const forgetDeletedPeopleInReviews: PeopleHook = async (tx, orgId, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length === 0) return;
  if (await areNamed(tx, orgId, deleted)) throw namedElsewhere();
  await forgetCreators(tx, orgId, deleted);
  await removeEscalations(tx, orgId, deleted);
};

const BY_THE_SYSTEM: Cause = { actor: SYSTEM, source: { type: 'system', uuid: null } };

/** Reassigns the items of these people or of one cycle. Returns the events, which the caller records last. */
export async function reassignItems(
  tx: Tx,
  orgId: string,
  whose: { people: string[] } | { cycleId: string },
): Promise<NewEvent[]> {
  const items = await queries.reassign(tx, orgId, whose);
  return items.map((item) => itemReassigned(item, BY_THE_SYSTEM));
}

const mayDisqualify = (event: NewEvent): boolean =>
  event.type === 'user.deactivated' ||
  event.type === 'user.deleted' ||
  (event.type === 'user.updated' && event.payload.changes.some(({ field }) => field === 'role'));

/** Reassigns items that the hook missed: those created while their reviewer was being deactivated. */
export async function reassignMissedItems(db: Db): Promise<void> {
  for (const orgId of await queries.organizationsWithLeavers(db)) {
    await transaction(db, async (tx) => {
      const items = await queries.reassignAll(tx, orgId);
      await recordEvents(
        tx,
        orgId,
        items.map((item) => itemReassigned(item, BY_THE_CLOCK)),
      );
    });
  }
}
