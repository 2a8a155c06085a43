import { namedElsewhere, type PeopleHook } from '../../directory/people/people.ts';
import { deletedPeople } from '../../log/events/deleted-people.ts';
import { areNamed } from './queries/deleted-people.ts';

/** A people hook: people who commented on requests, or for whom a deputy decided, are not deleted. */
export const keepPeopleNamedInRequests: PeopleHook = async (tx, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length > 0 && (await areNamed(tx, deleted))) throw namedElsewhere();
};
