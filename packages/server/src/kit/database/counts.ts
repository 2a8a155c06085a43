import { type QueryExecutorProvider, sql } from 'kysely';
import { countLimit, countOf, type Page, type Slice } from '../pages.ts';
import { type Statement, value } from './statements.ts';

/** Returns how many rows a query has, as far as `page` needs it, as in countFor(db, page)`select from task where …`. */
export const countFor =
  (db: QueryExecutorProvider, page: Page): Statement<Omit<Slice<unknown>, 'results'>> =>
  async (...rows) =>
    countOf(
      await value<number>(db)`select count(*) as n from (${sql(...rows)} limit ${countLimit(page)}) as found`,
      page,
    );
