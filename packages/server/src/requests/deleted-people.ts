import { deletedPeople } from '../events/deleted-people.ts';
import { namedElsewhere, type PeopleHook } from '../people/people.ts';
import { areNamed } from './queries/deleted-people.ts';

/** A people hook: people who commented on requests, or for whom a deputy decided, are not deleted. */
export const keepPeopleNamedInRequests: PeopleHook = async (tx, orgId, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length > 0 && (await areNamed(tx, orgId, deleted))) throw namedElsewhere();
};
