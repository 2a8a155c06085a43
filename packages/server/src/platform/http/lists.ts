import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';

/** `limit` and `offset` of a list (D9). */
export interface Page {
  limit: number;
  offset: number;
}

/** One page of a list, before it has addresses. */
export interface Slice<T> {
  count: number;
  results: T[];
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

export function pageOf(query: { limit?: number; offset?: number }, largest = LARGEST_PAGE): Page {
  return { limit: Math.min(query.limit ?? 50, largest), offset: query.offset ?? 0 };
}

/** Contract 2.12: the envelope of a list whose items are `item`. */
export const envelope = <T extends TSchema>(item: T) =>
  Type.Object({
    count: Type.Integer(),
    next: Type.Union([Type.String(), Type.Null()]),
    previous: Type.Union([Type.String(), Type.Null()]),
    results: Type.Array(item),
  });

/** The addresses of the pages beside this one, absolute, with every other parameter kept. */
export function neighbours(request: FastifyRequest, origin: string, { limit, offset }: Page, count: number) {
  const address = (start: number) => {
    const url = new URL(request.url, origin);
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(start));
    return url.toString();
  };
  return {
    next: offset + limit < count ? address(offset + limit) : null,
    previous: offset > 0 ? address(Math.max(0, Math.min(offset, count) - limit)) : null,
  };
}

/** Contract 2.12. */
export function listReply<T>(
  request: FastifyRequest,
  origin: string,
  page: Page,
  { count, results }: Slice<T>,
) {
  return { count, ...neighbours(request, origin, page, count), results };
}
