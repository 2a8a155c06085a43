import { deletedPeople } from '../events/deleted-people.ts';
import type { PeopleHook } from '../people/people.ts';
import { removeOwners } from './admin-queries.ts';
import { forgetRequesters } from './connection-requests-queries.ts';

/** A people hook: apps and connection requests of deleted people stay, without them. */
export const forgetDeletedPeopleInApps: PeopleHook = async (tx, orgId, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length === 0) return;
  await removeOwners(tx, orgId, deleted);
  await forgetRequesters(tx, orgId, deleted);
};
