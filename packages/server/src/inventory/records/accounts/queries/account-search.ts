import type { OrgDb } from '#kit/database.ts';
import { countLimit, countOf, type Page } from '#kit/pages.ts';
import { type RawBuilder, sql, values } from '#kit/sql.ts';
import type { AccountSort } from '../account-view.ts';
import { countAccounts, countQuery, ORDER, sortedIds } from './account-pages.ts';
import { idsByUse, isByUse } from './by-use.ts';

/** How many results of a search are counted and sorted together. */
const FEW = 10_000;
/** The same for candidates, which are read one by one. */
const FEW_CANDIDATES = 2000;
/** The number of accounts to search for a page of many results, before all results are sorted. */
const NEAR = 10_000;
/** The same after a page in the order of the last sign-in. Fewer, because all of them are read, not only until the page is full. */
const NEAR_BY_USE = 2000;

interface Search {
  /** The apps of the list, or null for all. */
  apps: string[] | null;
  sort: AccountSort;
  /** The conditions that an index or an order serves. */
  where: RawBuilder<unknown>;
  matches: RawBuilder<unknown>;
  /** Selects the `account_id` of each account that may match, if the index of the texts does not serve. */
  candidates: RawBuilder<unknown> | undefined;
}

/**
 * Counts the accounts that a search finds, and returns the ids on a page of them. Few results are found through the index of
 * the texts, and sorted. A page of many is soon found by walking along the order, unless all of them come late in it. The planner
 * cannot choose, because it can only guess how many accounts contain a text.
 */
export async function searchAccounts(
  db: OrgDb,
  { apps, sort, where, matches, candidates }: Search,
  page: Page,
): Promise<{ count: number; more?: boolean; ids: string[] }> {
  const [order] = ORDER[sort];
  const found = sql`${where} and ${matches}`;
  const most = candidates === undefined ? FEW : FEW_CANDIDATES;
  const from =
    candidates === undefined
      ? sql`account a`
      : sql`(${candidates}) s join account a on a.org_id = ${db.orgId} and a.id = s.account_id`;
  const few = await sortedIds(db, sql`${from} where ${found} limit ${sql.lit(most + 1)}`, order, page);
  if (few.n <= most) return { ...countOf(few.n, page), ids: few.ids };
  const limit = countLimit(page);
  const n = limit !== null && limit <= few.n ? few.n : await countAccounts(db.db, countQuery(found, page));
  const counts = countOf(n, page);
  if (page.offset >= n) return { ...counts, ids: [] };
  const near = page.offset < NEAR ? await nearIds() : [];
  if (near.length === Math.min(page.limit, n - page.offset)) return { ...counts, ids: near };
  return { ...counts, ids: (await sortedIds(db, sql`account a where ${found}`, order, page)).ids };

  /** Returns the ids on the page among the first accounts of the order. */
  async function nearIds(): Promise<string[]> {
    // The subquery hides the text from the planner, so that it does not use the index of the texts.
    const hidden = sql`(select ${matches})`;
    if (isByUse(sort)) {
      const most = Math.min(page.offset + page.limit + NEAR_BY_USE, NEAR);
      const first = await idsByUse(db, { apps, sort, where }, { limit: most, offset: 0 });
      const matching = sql`account a where a.org_id = ${db.orgId} and a.id = any(${first}::uuid[]) and ${hidden}`;
      return (await sortedIds(db, matching, order, page)).ids;
    }
    return values<string>(db)`
      select a.id from (select * from account a where ${where} order by ${order} limit ${sql.lit(NEAR)}) a
      where ${hidden} order by ${order} limit ${page.limit} offset ${page.offset}`;
  }
}
