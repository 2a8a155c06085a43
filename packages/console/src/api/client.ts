import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import createClient from 'openapi-fetch';
import { withCodesInText } from '../kit/text/hidden.ts';
import { base, send } from './base.ts';
import { ApiError, detailOf } from './error.ts';
import type { paths } from './schema.ts';
import { shared, withVersion } from './version.ts';

/** The public API under base_url. Throws an ApiError for every failure; see {@link ok}. */
export const api = createClient<paths>({ baseUrl: location.origin + base, fetch: send });

type GetPath = { [P in keyof paths]: paths[P] extends { get: object } ? P : never }[keyof paths];
type Parameters<P extends GetPath> = paths[P]['get'] extends { parameters: infer T } ? T : never;
type Loose<T> = { [K in keyof T]?: T[K] | undefined };
export type Query<P extends GetPath> =
  Parameters<P> extends { query?: infer Q } ? Loose<NonNullable<Q>> : object;
type PathOf<P extends GetPath> = Parameters<P> extends { path: infer Q } ? { path: Q } : { path?: undefined };

/** The body of a successful GET. */
export type Answer<P extends GetPath> = paths[P]['get'] extends {
  responses: { 200: { content: { 'application/json': infer T } } };
}
  ? T
  : never;

/** One row of a list. */
export type Item<P extends GetPath> = Answer<P> extends { results: (infer T)[] } ? T : never;

export type Ask<P extends GetPath> = PathOf<P> & { query?: Query<P> };

/** Returns the data of a response: `await ok(api.POST('/api/tasks/', { body }))`. */
export async function ok<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data, response } = await call;
  return withVersion(data as T, response);
}

const read = api.GET as unknown as (
  path: string,
  init: { params: object; signal?: AbortSignal },
) => Promise<{ data: unknown; response: Response }>;

/** Returns the `useQuery` options for a path: `useQuery(get('/api/apps/{app_id}/', { path: { app_id } }))`. */
export function get<P extends GetPath>(path: P, ...[params]: object extends Ask<P> ? [Ask<P>?] : [Ask<P>]) {
  return queryOptions({
    queryKey: [path, params ?? {}] as const,
    queryFn: async ({ signal }) => {
      const { data, response } = await read(path, { params: params ?? {}, signal });
      return withVersion(data as Answer<P>, response);
    },
    structuralSharing: shared,
  });
}

/** Reads an address once, without the cache. */
export async function load<P extends GetPath>(
  path: P,
  params: Ask<P>,
  signal?: AbortSignal,
): Promise<Answer<P>> {
  const { data, response } = await read(path, signal === undefined ? { params } : { params, signal });
  return withVersion(data as Answer<P>, response);
}

/** Returns the address of a list as CSV, for a link that the browser downloads. */
export function csvAddress<P extends GetPath>(path: P, query: Query<P>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  params.set('format', 'csv');
  return `${base}${path}?${params}`;
}

/** A list of the API that is read in slices (D9). A DataTable shows one. */
export interface List<T> {
  key: readonly unknown[];
  /** Keeps rows of the page as shown before that the new one lacks, for as long as somebody looks at the list. */
  keep?(shown: PageOf<T>, next: PageOf<T>): PageOf<T>;
  page(
    /** `count_to`: where the server stops counting. Not sent to short lists. */
    at: { limit: number; offset: number; count_to?: number },
    signal?: AbortSignal,
  ): Promise<PageOf<T>>;
}

export interface PageOf<T> {
  count: number;
  /** Set when the server stopped counting at `count_to`. */
  more?: boolean;
  /** The syncs around the time of an answer about the past. */
  coverage?: Coverage[];
  results: T[];
}

export type Coverage = NonNullable<Answer<'/api/accounts/'>['coverage']>[number];

/** The query of a path without parameters is never, which has all keys. */
type LongList = {
  [P in GetPath]: [Query<P>] extends [never] ? never : 'count_to' extends keyof Query<P> ? P : never;
}[GetPath];

/** The lists that take `count_to`. */
const LONG_LISTS: Record<LongList, true> = {
  '/api/accounts/': true,
  '/api/apps/{app_id}/connector/runs/': true,
  '/api/apps/{app_id}/held-tasks/': true,
  '/api/apps/{app_id}/resources/{resource_id}/members/': true,
  '/api/catalog/': true,
  '/api/findings/': true,
  '/api/fulfillment/tasks/': true,
  '/api/grants/': true,
  '/api/notifications/deliveries/': true,
  '/api/holds/{hold_id}/people/': true,
  '/api/person-groups/': true,
  '/api/queries/run/': true,
  '/api/queries/{query_id}/rows/': true,
  '/api/person-groups/{group_id}/members/': true,
  '/api/reviews/cycles/{cycle_id}/items/': true,
  '/api/tasks/': true,
  '/api/users/': true,
  '/api/users/leavers/': true,
  '/api/webhooks/{webhook_id}/deliveries/': true,
};

/** Returns the List at a path: `list('/api/accounts/', { query: { email: search.q } })`. */
export function list<P extends GetPath>(
  path: P,
  ...[params]: object extends Ask<P> ? [Ask<P>?] : [Ask<P>]
): List<Item<P>> {
  const given: { path?: unknown; query?: object } = params ?? {};
  return {
    key: [path, given],
    page: async ({ count_to, ...at }, signal) => {
      const counting = path in LONG_LISTS ? { count_to } : {};
      const init = { params: { ...given, query: { ...given.query, ...at, ...counting } } };
      const { data } = await read(path, signal === undefined ? init : { ...init, signal });
      return data as PageOf<Item<P>>;
    },
  };
}

/** Yields every row of a list, one request per slice. */
export async function* everything<T>(source: List<T>, signal?: AbortSignal): AsyncGenerator<T> {
  const limit = 200;
  for (let offset = 0; ; offset += limit) {
    const { count, more, results } = await retrying(() =>
      source.page({ limit, offset, count_to: limit }, signal),
    );
    yield* results;
    if (results.length === 0 || (!more && offset + limit >= count)) return;
  }
}

/** Repeats a call after a 429, once the server allows it. */
export async function retrying<T>(call: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429) || left === 0) throw error;
      await new Promise((resume) => setTimeout(resume, (error.retryAfter ?? 1) * 1000));
    }
  }
}

/** Reads are retried while the server is unreachable or throttles; a rejected read is not. */
function shouldRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.unreachable || (error.status === 429 && failures < 3);
}

function retryDelay(failures: number, error: unknown): number {
  if (error instanceof ApiError && error.retryAfter !== null) return error.retryAfter * 1000;
  // A server that is back is noticed soon. Throttled reads wait longer each time.
  const longest = error instanceof ApiError && error.unreachable ? 2000 : 15_000;
  return Math.min(1000 * 2 ** failures, longest);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, retryDelay, networkMode: 'always', staleTime: 5_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});

export interface ChangeOptions<V, T> {
  /** Runs when the change is asked for, before it is sent. */
  before?: (input: V) => void;
  /** The message shown on success. */
  success?: string | ((result: T) => string) | undefined;
  /** Runs before queries are invalidated, so that a page it leaves is not read again. */
  after?: (result: T) => void | Promise<void>;
  /** Whether to show a failure as a notification. False if the page shows it next to a field. */
  showFailure?: boolean;
  /** Changes with the same name are sent one after the other. */
  inOrder?: string;
}

const QUIET_MS = 500;
let changedAt = Number.NEGATIVE_INFINITY;
let waiting: ReturnType<typeof setTimeout> | undefined;

/**
 * Reads everything on the page again: immediately after a single change, and after the last of several quick ones. A browser
 * sends only a few requests at a time, so reads after each of them would hold up the next change.
 */
function refresh(client: QueryClient): void {
  const isSingle = performance.now() - changedAt > QUIET_MS && !hasMore(client);
  changedAt = performance.now();
  refreshIn(client, isSingle ? 0 : QUIET_MS);
}

function refreshIn(client: QueryClient, ms: number): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (hasMore(client)) refreshIn(client, QUIET_MS);
    else void client.invalidateQueries();
  }, ms);
}

/** Whether changes that are sent one after the other are not all done. */
const hasMore = (client: QueryClient) =>
  client.isMutating({ predicate: ({ options }) => options.scope !== undefined }) > 0;

/** A change, which is never retried automatically. Afterwards everything on the page is read again. */
export function useChange<V, T>(change: (input: V) => Promise<T>, options: ChangeOptions<V, T> = {}) {
  const { before, success, after, showFailure = true, inOrder } = options;
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    ...(inOrder !== undefined && { scope: { id: inOrder } }),
    ...(before !== undefined && { onMutate: before }),
    onSuccess: (result: T) => {
      if (success !== undefined) notify(typeof success === 'function' ? success(result) : success);
      void Promise.resolve(after?.(result)).then(() => setTimeout(() => refresh(client)));
    },
    onError: (error) => {
      if (showFailure) notifyFailure(error);
    },
  });
}

function notify(message: string) {
  notifications.show({ message, color: 'green', autoClose: 4000 });
}

/** Shows what went wrong, in the server's words. */
export function notifyFailure(error: unknown) {
  notifications.show({
    // A refusal explains itself.
    ...(error instanceof ApiError && error.status >= 400 && error.status < 500
      ? {}
      : { title: t`Something went wrong` }),
    // The library draws it.
    message: withCodesInText(detailOf(error)),
    color: 'red',
    autoClose: 10_000,
  });
}
