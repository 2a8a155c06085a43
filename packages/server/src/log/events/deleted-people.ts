import type { NewEvent } from './record.ts';

/** Returns the ids of the people whose deletion these events record. */
export const deletedPeople = (events: readonly NewEvent[]): string[] =>
  events.filter(({ type }) => type === 'user.deleted').map(({ subject }) => subject.uuid);
