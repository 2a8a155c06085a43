import type { FastifyRequest } from 'fastify';
import { type TProperties, type TSchema, Type } from 'typebox';
import type { Page, Slice } from '../pages.ts';
import { Component } from '../schemas.ts';

const LARGEST_PAGE = 200;

/** The query parameters of every list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 50,
      description: 'The number of results to return. Values above 200 are treated as 200.',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'The number of results to skip.',
    }),
  ),
};

/** The query parameters of a list that may be too long to count for every request. */
export const longPageQuery = {
  ...pageQuery,
  count_to: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Stop counting after this many results, but not before the end of this page. `more` then states whether further results exist. Faster on long lists.',
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

/** Named after the items, if these have a name. */
const ListPage = <P extends TProperties>(item: TSchema & { title?: string }, properties: P) =>
  item.title === undefined ? Type.Object(properties) : Component(`${item.title}Page`, properties);

/** The envelope of a list (protocol 2.12). */
export const envelope = <T extends TSchema>(item: T) =>
  ListPage(item, {
    count: Type.Integer(),
    next: Type.Union([Type.String(), Type.Null()]),
    previous: Type.Union([Type.String(), Type.Null()]),
    results: Type.Array(item),
  });

/** The envelope of a list whose count may stop early. */
export const longEnvelope = <T extends TSchema>(item: T) =>
  ListPage(item, {
    ...envelope(item).properties,
    more: Type.Optional(
      Type.Boolean({
        description: 'Only with `count_to`: whether the list has more results than were counted.',
      }),
    ),
  });

/** Returns the absolute addresses of the next and the previous list page. Other parameters are kept. */
export function neighbors(
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

/** Returns the absolute address of the request with other parameters. */
export function addressWith(request: FastifyRequest, origin: string, parameters: Record<string, string>) {
  const url = new URL(request.url, origin);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.toString();
}

/** Returns the response body of a list (protocol 2.12). */
export function listReply<T>(
  request: FastifyRequest,
  origin: string,
  page: Page,
  { count, results, more }: Slice<T>,
) {
  const counted = more === undefined ? { count } : { count, more };
  return { ...counted, ...neighbors(request, origin, page, count, more), results };
}
