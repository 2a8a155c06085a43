import type { OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { Person } from './person.ts';
import * as queries from './queries/duplicates.ts';

/** Two records that may be of one person. */
export interface Duplicate extends Pick<queries.DuplicateRow, 'score' | 'reasons'> {
  people: [Person, Person];
}

/** Lists pairs of people that nobody has dismissed, the likeliest first. */
export async function listDuplicates(db: OrgDb, page: Page): Promise<Slice<Duplicate>> {
  const { count, results } = await queries.listDuplicates(db, page);
  const people = await queries.findPeople(
    db,
    results.flatMap(({ one, other }) => [one, other]),
  );
  return {
    count,
    results: results.flatMap(({ one, other, score, reasons }): Duplicate[] => {
      const [first, second] = [people.get(one), people.get(other)];
      return first === undefined || second === undefined ? [] : [{ people: [first, second], score, reasons }];
    }),
  };
}
