/** A list page: the part of a list that a request asks for (D9). */
export interface Page {
  limit: number;
  offset: number;
  /** How far to count a long list at least. Undefined counts to its end. */
  countTo?: number;
}

/** The results of a list page, without the addresses of its neighbors. */
export interface Slice<T> {
  count: number;
  results: T[];
  /** Whether the count stopped before the end of the list. */
  more?: boolean;
}

/** Returns the most rows that a count for `page` has to find, for `limit` in SQL. Null means all. */
export const countLimit = ({ limit, offset, countTo }: Page): number | null =>
  countTo === undefined ? null : Math.max(countTo, offset + limit) + 1;

/** Returns the count for `page` from the number of rows found within countLimit(page). */
export function countOf(n: number, page: Page): { count: number; more?: boolean } {
  const most = countLimit(page);
  return most === null ? { count: n } : { count: Math.min(n, most - 1), more: n >= most };
}
