import type { PeopleHook } from '../../directory/people/people.ts';
import { deletedPeople } from '../../log/events/deleted-people.ts';
import { removeOwners } from './queries/admin.ts';
import { forgetRequesters } from './queries/connection-requests.ts';

/** A people hook: apps and connection requests of deleted people stay, without them. */
export const forgetDeletedPeopleInApps: PeopleHook = async (tx, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length === 0) return;
  await removeOwners(tx, deleted);
  await forgetRequesters(tx, deleted);
};
