import type { NewEvent } from '../events/record.ts';
import type { PeopleHook } from '../people/people.ts';
import type { Db } from '../platform/database/open.ts';
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
export const reassignMissedItems = (db: Db): Promise<void> => queries.reassignAll(db);
