import { type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type CallTx, type RequestCause, requireAllApps } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import type { Person } from './person.ts';
import type { DismissalRow, Pair } from './queries/dismissals.ts';
import * as queries from './queries/dismissals.ts';
import { findPeople } from './queries/duplicates.ts';
import { lockPair } from './queries/people.ts';
import { aboutPerson } from './save.ts';
import { personRefusals } from './sentences.ts';

/** Two people who look like duplicates, but are different. */
export interface Dismissal extends Pick<DismissalRow, 'dismissed_by' | 'dismissed_at'> {
  people: [Person, Person];
}

export async function listDismissals(db: OrgDb, page: Page): Promise<Slice<Dismissal>> {
  const { count, results } = await queries.listDismissals(db, page);
  const ids = results.flatMap(({ lower, higher }) => [lower, higher]);
  const people = await findPeople(db, ids);
  return { count, results: results.flatMap((row) => withPeople(row, people) ?? []) };
}

/** Records that two people are different, so that the list of duplicates leaves them out. Repeating it changes nothing. */
export async function dismissDuplicate(call: Call, ids: readonly string[]): Promise<Dismissal> {
  const { userId } = call.principal;
  requireAllApps(call.principal, 'dismissing duplicates');
  return transaction(call, async (tx) => {
    const people = await lockTwo(tx, ids);
    const merged = people.find(({ merged_into }) => merged_into != null);
    if (merged !== undefined) throw personRefusals.person_merged_name_other({ email: merged.email });
    const pair = pairOf(people);
    if (await queries.insertDismissal(tx, pair, userId))
      await recordEvents(tx, [{ ...about(people, call.cause), type: 'person.duplicate_dismissed' }]);
    const row = (await queries.findDismissal(tx, pair)) as DismissalRow;
    return withPeople(row, new Map(people.map((person) => [person.id, person]))) as Dismissal;
  });
}

/** Undoes a dismissal: the list of duplicates has the pair again if the two still look alike. */
export async function restoreDuplicate(call: Call, ids: readonly string[]): Promise<void> {
  requireAllApps(call.principal, 'restoring duplicates');
  await transaction(call, async (tx) => {
    const people = await lockTwo(tx, ids);
    if (!(await queries.deleteDismissal(tx, pairOf(people)))) throw notFound('Dismissed pair');
    await recordEvents(tx, [{ ...about(people, call.cause), type: 'person.duplicate_restored' }]);
  });
}

/** Locks two people, in the order of the ids. Throws unless the caller may merge people like these. */
async function lockTwo(tx: CallTx, ids: readonly string[]): Promise<[Person, Person]> {
  const wanted = ids.map((id) => id.toLowerCase());
  const locked = await lockPair(tx, wanted);
  const [one, other] = wanted.map((id) => locked.find((person) => person.id === id));
  if (one === undefined || other === undefined) throw notFound('Person');
  if (one.id === other.id) throw personRefusals.people_must_differ();
  if (tx.principal.role !== 'owner' && (one.role === 'owner' || other.role === 'owner'))
    throw personRefusals.owner_decides_duplicate_owner();
  return [one, other];
}

/** UUIDs in lower case sort as text like in the database. */
const pairOf = ([one, other]: readonly [Person, Person]): Pair =>
  one.id < other.id ? [one.id, other.id] : [other.id, one.id];

function withPeople(
  { lower, higher, dismissed_by, dismissed_at }: DismissalRow,
  people: ReadonlyMap<string, Person>,
): Dismissal | undefined {
  const [one, other] = [people.get(lower), people.get(higher)];
  return one && other && { people: [one, other], dismissed_by, dismissed_at };
}

const about = ([person, other]: [Person, Person], { actor, source }: RequestCause) => ({
  actor,
  subject: { type: 'platform_user' as const, uuid: person.id },
  source,
  payload: { ...aboutPerson(person), other_id: other.id, other_email: other.email },
});
