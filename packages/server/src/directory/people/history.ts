import type { Static } from 'typebox';
import { notFound } from '#kit/errors.ts';
import { type Call, requireReadable } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { instantForSql } from '#kit/instants.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { changesOf, type Person } from './person.ts';
import * as history from './queries/history.ts';
import * as queries from './queries/people.ts';
import type { PersonPeriodView } from './schemas.ts';
import { personRefusals } from './sentences.ts';

type PersonPeriod = Omit<Static<typeof PersonPeriodView>, 'person'> & { person: Person };

/** The states of a person that are on record. */
interface PersonRecord {
  id: string;
  /** The number of states. */
  n: number;
  /** The beginning of the first one. */
  since: Date;
  isDeleted: boolean;
}

/**
 * Returns what is on record of a person. Throws 404 and 403 like personOf, but finds deleted people, too. A deleted person is not a
 * member who could ask for their own record.
 */
export async function recordOf(call: Call, id: string): Promise<PersonRecord> {
  const person = isUuid(id) ? await queries.findPerson(call, id) : undefined;
  if (person !== undefined || call.principal.role === 'member' || !isUuid(id))
    requireReadable(call.principal, person);
  const { n, since } = await history.recordOf(call, id);
  if (since === null) throw notFound('Person');
  return { id, n, since, isDeleted: person === undefined };
}

/** Returns a person as they were at a time. Throws 404 for times of which no state is on record. */
export async function personAsOf(
  call: Call,
  id: string,
  time: string,
): Promise<Person & { as_of: Date; ended_at: Date | null }> {
  const { since } = await recordOf(call, id);
  const asOf = new Date(instantForSql(time));
  if (asOf.getTime() > Date.now()) throw personRefusals.as_of_future();
  const state = await history.findState(call, id, asOf.getTime());
  if (state !== undefined) return { ...state, as_of: asOf };
  throw asOf < since
    ? personRefusals.person_state_too_early({ since: since.toISOString() })
    : personRefusals.person_deleted_by_then();
}

/** Lists the states of a person, newest first, each with the changes that led to it. */
export async function historyOf(
  call: Call,
  { id, n: count, isDeleted }: PersonRecord,
  { limit, offset }: Page,
): Promise<Slice<PersonPeriod>> {
  // One more, for the changes of the last one.
  const states = await history.listStates(call, id, { limit: limit + 1, offset });
  const results = states.slice(0, limit).map(({ ended_at, ...after }, index) => {
    const before = states[index + 1];
    const isLast = isDeleted && offset + index === 0;
    return {
      since: after.updated_at,
      ended_at,
      began: before !== undefined ? ('changed' as const) : beginningOf(after),
      ended: ended_at === null ? null : isLast ? ('deleted' as const) : ('changed' as const),
      changes: changesOf({ before, after }),
      person: after,
    };
  });
  return { count, results };
}

/** Returns how the first recorded state began. Earlier ones may have been removed, or ended before Gatehouse kept them. */
const beginningOf = ({ created_at, updated_at }: Person) =>
  created_at.getTime() === updated_at.getTime() ? ('created' as const) : null;
