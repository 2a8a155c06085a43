import { createHash } from 'node:crypto';
import { counted } from '@gatehouse/connector';
import type { Reply } from './client.ts';
import type { CompiledList, Pagination } from './compiled.ts';
import type { Outgoing } from './exchange.ts';
import { kindOf, type Scope } from './expression.ts';
import { nameOf, RequestError } from './failures.ts';
import { nextLink } from './links.ts';
import { nextAddress } from './next-address.ts';
import { afterReply, outgoing, read, type System } from './system.ts';

const MOST_PAGES = 10_000;

/**
 * Yields the items of a list, page by page. Throws if pages repeat, the list is incomplete, or a page is unusable. Calls `beforeNext`
 * before each further page is requested: from then on, items can move between the pages.
 */
export async function* pagesOf(
  system: System,
  list: CompiledList,
  scope: Scope = {},
  beforeNext: () => void = () => {},
): AsyncGenerator<unknown[]> {
  if (list.request === undefined) {
    yield list.values;
    return;
  }
  const { paginate } = list;
  let request: Outgoing | undefined = firstPage(outgoing(system, list.request, scope), paginate);
  const what = nameOf(request.method, request.url);
  const seen = { pages: new Set<string>(), places: new Set([request.url.href]) };
  let count = 0;
  let total: number | undefined;
  for (let page = 1; request; page++) {
    const most = paginate?.max_pages ?? MOST_PAGES;
    if (page > most) throw new RequestError(`${what} has more than ${most} pages (paginate.max_pages)`);
    const reply: Reply = await read(system, request);
    const after = afterReply(system, scope, reply);
    const items = itemsOf(list, after, what);
    refuseRepetition(items, seen.pages, what);
    total = totalOf(paginate, after, total, what);
    count += items.length;
    yield items;
    const { places } = seen;
    const base = system.base.pathname;
    request = nextPage(request, { paginate, reply, after, items, page, count, total, places, base });
    if (request) beforeNext();
  }
  if (total !== undefined && count < total)
    throw new RequestError(`${what} returned only ${count} of ${counted(total, 'item')}`);
}

const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)))
    .digest('base64');

function itemsOf(list: CompiledList, after: Scope, what: string): unknown[] {
  let items: unknown;
  try {
    items = list.items(after);
  } catch (error) {
    throw new RequestError(`${what} has an unexpected form: ${(error as Error).message}`);
  }
  if (!Array.isArray(items))
    throw new RequestError(
      `${what} has an unexpected form: ${list.itemsText} is ${kindOf(items)}, not a list`,
    );
  return items;
}

/** A server that ignores the parameter of the page returns the same page for ever. */
function refuseRepetition(items: unknown[], seen: Set<string>, what: string): void {
  if (items.length === 0) return;
  const digest = digestOf(items);
  if (seen.has(digest))
    throw new RequestError(`${what} returned the same page twice; check paginate in the definition`);
  seen.add(digest);
}

function totalOf(
  paginate: Pagination | undefined,
  after: Scope,
  before: number | undefined,
  what: string,
): number | undefined {
  if (!paginate?.total) return before;
  const total = Number(paginate.total(after) ?? Number.NaN);
  if (!Number.isFinite(total))
    throw new RequestError(`${what} has no total number of items (paginate.total)`);
  if (before !== undefined && total !== before)
    throw new RequestError(`${what} changed from ${before} to ${total} items while it was read; try again`);
  return total;
}

function firstPage(request: Outgoing, paginate: Pagination | undefined): Outgoing {
  if (!paginate) return request;
  const url = new URL(request.url);
  if (paginate.size_param !== undefined) url.searchParams.set(paginate.size_param, String(paginate.size));
  const { by, param, first } = paginate;
  if (by === 'page') url.searchParams.set(param ?? 'page', String(first ?? 1));
  if (by === 'offset') url.searchParams.set(param ?? 'offset', String(first ?? 0));
  return { ...request, url };
}

type Situation = {
  paginate: Pagination | undefined;
  reply: Reply;
  after: Scope;
  items: unknown[];
  /** Number of pages and of items so far. */
  page: number;
  count: number;
  total: number | undefined;
  /** Addresses and cursors of the pages so far. */
  places: Set<string>;
  /** The path of base_url. */
  base: string;
};

/** Returns the request for the next page, or undefined after the last one. */
function nextPage(request: Outgoing, situation: Situation): Outgoing | undefined {
  const { paginate, after } = situation;
  if (!paginate) return undefined;
  const what = nameOf(request.method, request.url);
  const more = paginate.more?.(after);
  if (paginate.more && typeof more !== 'boolean')
    throw new RequestError(`${what} does not say whether there is more: paginate.more is ${kindOf(more)}`);
  if (more === false) return undefined;
  const next = requestAfter(request, paginate, situation);
  if (more && !next) throw new RequestError(`${what} says that there is more, but not where`);
  return next;
}

function requestAfter(request: Outgoing, paginate: Pagination, situation: Situation): Outgoing | undefined {
  if (paginate.by === 'page' || paginate.by === 'offset') return nextNumber(request, paginate, situation);
  if (paginate.by === 'cursor') return nextCursor(request, paginate, situation);
  return nextUrl(request, paginate, situation);
}

/**
 * A short page is not taken for the last one, because servers may return fewer items than requested. Unless the response has
 * a total or says whether there is more, the list ends with an empty page.
 */
function nextNumber(
  request: Outgoing,
  { by, param, first }: Pagination,
  { items, page, count, total }: Situation,
): Outgoing | undefined {
  if (total !== undefined && count >= total) return undefined;
  if (items.length === 0) return undefined;
  const url = new URL(request.url);
  if (by === 'page') url.searchParams.set(param ?? 'page', String((first ?? 1) + page));
  else url.searchParams.set(param ?? 'offset', String((first ?? 0) + count));
  return { ...request, url };
}

function nextCursor(
  request: Outgoing,
  { next, param = '', in: place }: Pagination,
  { after, places }: Situation,
): Outgoing | undefined {
  const cursor = next?.(after);
  if (cursor === null || cursor === undefined || cursor === '') return undefined;
  if (typeof cursor === 'object')
    throw new RequestError(`${nameOf(request.method, request.url)}: the cursor is ${kindOf(cursor)}`);
  refusePlace(String(cursor), places, request, 'cursor');
  if (place === 'body') {
    const body = JSON.parse(request.content ?? '{}') as Record<string, unknown>;
    return {
      ...request,
      headers: { 'content-type': 'application/json', ...request.headers },
      content: JSON.stringify({ ...body, [param]: cursor }),
    };
  }
  const url = new URL(request.url);
  url.searchParams.set(param, String(cursor));
  return { ...request, url };
}

function nextUrl(
  request: Outgoing,
  paginate: Pagination,
  { after, reply, places, base }: Situation,
): Outgoing | undefined {
  const target = paginate.by === 'link' ? linkIn(request, reply) : paginate.next?.(after);
  const url = nextAddress(request, { target, from: reply.url, base }, paginate);
  if (url === undefined) return undefined;
  refusePlace(url.href, places, request, 'address of the next page');
  return { ...request, url };
}

function linkIn({ method, url }: Outgoing, { headers }: Reply): string | undefined {
  try {
    return nextLink(headers.link);
  } catch (error) {
    throw new RequestError(`${nameOf(method, url)}: ${(error as Error).message}`);
  }
}

function refusePlace(place: string, places: Set<string>, { method, url }: Outgoing, kind: string): void {
  if (places.has(place))
    throw new RequestError(
      `${nameOf(method, url)} returned the same ${kind} twice, so the list would never end`,
    );
  places.add(place);
}
