import type { Pagination } from './compiled.ts';
import type { Outgoing } from './exchange.ts';
import { nameOf, RequestError } from './failures.ts';

/** The address that an application gave for the page after a request, the address of its response, and the path of base_url. */
export type Given = { target: unknown; from: URL; base: string };

/**
 * Returns the URL of the next page, or undefined after the last one. It is always at the origin of the request, because the
 * credentials go nowhere else.
 */
export function nextAddress(
  request: Outgoing,
  { target, from, base }: Given,
  { origin }: Pick<Pagination, 'origin'>,
): URL | undefined {
  if (target === null || target === undefined || target === '') return undefined;
  const what = nameOf(request.method, request.url);
  const given = typeof target === 'string' && URL.canParse(target, from) ? new URL(target, from) : undefined;
  if (given?.protocol !== 'http:' && given?.protocol !== 'https:')
    throw new RequestError(`${what}: the address of the next page is not a URL`);
  const isOwn = given.origin === request.url.origin;
  if (!isOwn && origin !== 'base_url')
    throw new RequestError(
      `${what}: the next page is at another origin, ${given.origin}; if this is the application's own address behind a gateway, set "paginate.origin: base_url"`,
    );
  const url = new URL(request.url);
  url.pathname = isOwn ? given.pathname : pathBehindGateway(what, request.url.pathname, given.pathname, base);
  url.search = given.search;
  keepParameters(url, request.url);
  return url;
}

/** A gateway may put a prefix before the paths of the application, so that /wiki/users is /users there. */
function pathBehindGateway(what: string, own: string, given: string, base: string): string {
  if (own.endsWith(given)) return own;
  if (`${given}/`.startsWith(base.replace(/\/*$/, '/'))) return given;
  throw new RequestError(`${what}: the path of the next page, ${given}, is not below base_url`);
}

const POSITION = /^\$?(page|page_?(no|num|number|index)|offset|start|start_?(at|index)|skip)$/i;

/**
 * The number of a page or an offset has a meaning only with the filters and the page size of the first request, so missing ones are
 * added. A token may stand for all of them.
 */
function keepParameters(next: URL, before: URL): void {
  const isNumbered = [...next.searchParams].some(
    ([name, value]) => POSITION.test(name) && /^\d+$/.test(value),
  );
  if (!isNumbered) return;
  const given = new Set(next.searchParams.keys());
  for (const [name, value] of before.searchParams)
    if (!given.has(name) && !POSITION.test(name)) next.searchParams.append(name, value);
}
