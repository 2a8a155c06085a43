import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';

/** `limit` and `offset` of a list (D9). */
export interface Page {
  limit: number;
  offset: number;
  /** Of a long list: how far to count at least. Undefined: to its end. */
  countTo?: number;
}

/** One page of a list, before it has addresses. */
export interface Slice<T> {
  count: number;
  results: T[];
  /** The count stopped before the end. */
  more?: boolean;
}

const LARGEST_PAGE = 200;

/** The query parameters of every list, for a route's schema. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 50, description: 'Page size; more than 200 is read as 200.' }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'Start index.' }),
  ),
};

/** Those of a list that may be too long to be counted at every look. */
export const longPageQuery = {
  ...pageQuery,
  count_to: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Count no further than this, and this page: more then says whether there are more. Quicker.',
    }),
  ),
};

export function pageOf(
  query: { limit?: number; offset?: number; count_to?: number },
  largest = LARGEST_PAGE,
): Page {
  const page = { limit: Math.min(query.limit ?? 50, largest), offset: query.offset ?? 0 };
  return query.count_to === undefined ? page : { ...page, countTo: query.count_to };
}

/** How many rows a count has to find for `page`: for `limit` in SQL, where null is all. */
export const countLimit = ({ limit, offset, countTo }: Page): number | null =>
  countTo === undefined ? null : Math.max(countTo, offset + limit) + 1;

/** What the `n` rows say that were found up to countLimit(page). */
export function countOf(n: number, page: Page): { count: number; more?: boolean } {
  const most = countLimit(page);
  return most === null ? { count: n } : { count: Math.min(n, most - 1), more: n >= most };
}

/** Contract 2.12: the envelope of a list whose items are `item`. */
export const envelope = <T extends TSchema>(item: T) =>
  Type.Object({
    count: Type.Integer(),
    next: Type.Union([Type.String(), Type.Null()]),
    previous: Type.Union([Type.String(), Type.Null()]),
    results: Type.Array(item),
  });

/** The envelope of a list that need not be counted to its end. */
export const longEnvelope = <T extends TSchema>(item: T) =>
  Type.Object({
    ...envelope(item).properties,
    more: Type.Optional(
      Type.Boolean({ description: 'With count_to: whether there are more than were counted.' }),
    ),
  });

/** The addresses of the pages beside this one, absolute, with every other parameter kept. */
export function neighbours(
  request: FastifyRequest,
  origin: string,
  { limit, offset }: Page,
  count: number,
  more = false,
) {
  const address = (start: number) => {
    const url = new URL(request.url, origin);
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(start));
    return url.toString();
  };
  return {
    next: more || offset + limit < count ? address(offset + limit) : null,
    previous: offset > 0 ? address(Math.max(0, Math.min(offset, count) - limit)) : null,
  };
}

/** Contract 2.12. */
export function listReply<T>(
  request: FastifyRequest,
  origin: string,
  page: Page,
  { count, results, more }: Slice<T>,
) {
  const counted = more === undefined ? { count } : { count, more };
  return { ...counted, ...neighbours(request, origin, page, count, more), results };
}
