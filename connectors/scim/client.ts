import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, TaskError, type TaskErrorCode } from '@gatehouse/connector';

export type Scim = {
  url: string;
  token: string;
  deliverTo: string | undefined;
  /** Seconds for which a 404 for an account that was just created is repeated. */
  settle?: number;
};
export type Resource = { id: string } & Record<string, unknown>;
export type Operation = { op: 'add' | 'remove' | 'replace'; path: string; value?: unknown };
type ListResponse = { totalResults: number; startIndex?: number; Resources?: Resource[] };

/** An error response of the server, with status and scimType (RFC 7644, 3.12). */
export class ScimError extends Error {
  override name = 'ScimError';
  readonly status: number;
  readonly scimType: string | undefined;
  /** The path of the request, such as `/Users/7`. */
  readonly path: string;
  /** Whether the response was a page of HTML. It is then not from SCIM, and its status says nothing about a user. */
  readonly isHtml: boolean;
  constructor(
    status: number,
    detail: string,
    {
      scimType,
      path = '',
      isHtml = false,
    }: { scimType?: string | undefined; path?: string; isHtml?: boolean } = {},
  ) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
    this.path = path;
    this.isHtml = isHtml;
  }
}

const meanings: Record<number, TaskErrorCode> = {
  401: 'PERMISSION_DENIED',
  403: 'PERMISSION_DENIED',
  408: 'TIMEOUT',
  429: 'RATE_LIMITED',
  504: 'TIMEOUT',
};

export function meaningOf(error: unknown): TaskError | undefined {
  if (error instanceof Error && error.name === 'TimeoutError')
    return new TaskError('TIMEOUT', 'the SCIM server did not respond in time');
  if (!(error instanceof ScimError)) return undefined;
  const code = meaningOfPath(error) ?? meanings[error.status];
  return code && new TaskError(code, error.message, { cause: error });
}

/** 404 and 409 are about the account only where the request is: a group may be missing as well, or the whole address. */
function meaningOfPath({ status, scimType, path, isHtml }: ScimError): TaskErrorCode | undefined {
  if (isHtml) return undefined;
  if (status === 404 && path.startsWith('/Users/')) return 'ACCOUNT_NOT_FOUND';
  const isTaken = status === 409 || scimType === 'uniqueness';
  return isTaken && path.startsWith('/Users') ? 'ACCOUNT_ALREADY_EXISTS' : undefined;
}

const pageSize = 100;
const patience = 10;

/** Makes one call. Waits out throttling of reads; a throttled write fails, because the service retries the task. */
export async function call(
  scim: Scim,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<unknown> {
  return (await send(scim, method, path, body, headers)).body;
}

/** Makes one call, and returns the status of a successful response, too. */
export async function send(
  scim: Scim,
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  for (let tries = 1; ; tries++) {
    const { status, text, headers } = await request(scim, method, path, body, more);
    if (status >= 200 && status < 300 && !isPage(text)) return { status, body: parsed(status, text, path) };
    if (status !== 429 || method !== 'GET' || tries > patience) throw refusal(status, text, path, method);
    await sleep(Math.min(Number(headers['retry-after']) || 1, 120) * 1000);
  }
}

const deadline = 60_000;
const mostRedirects = 5;

/** Makes one request. Follows redirects to the same origin if they keep the method, as those to the path with a slash do. */
async function request(
  scim: Scim,
  method: string,
  path: string,
  body: unknown,
  more: Record<string, string>,
) {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${scim.token}`,
    accept: 'application/scim+json',
    'user-agent': 'Gatehouse',
    ...(content === undefined ? {} : { 'content-type': 'application/scim+json' }),
    ...more,
  };
  const signal = AbortSignal.timeout(deadline);
  let url = new URL(scim.url.replace(/\/+$/, '') + path);
  for (let redirects = 0; ; redirects++) {
    const response = await exchange(url, { method, headers, signal }, content).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
    const to = redirectOf(response, url, method);
    if (to === undefined || redirects === mostRedirects) return response;
    url = to;
  }
}

function redirectOf(
  { status, headers: { location = '' } }: Awaited<ReturnType<typeof exchange>>,
  from: URL,
  method: string,
): URL | undefined {
  const keepsMethod = status === 307 || status === 308 || (method === 'GET' && [301, 302].includes(status));
  if (!keepsMethod || location === '' || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  return to.origin === from.origin ? to : undefined;
}

const LONGEST_REASON = 300;

const isPage = (text: string) => text.trimStart().startsWith('<');

function parsed(status: number, text: string, path: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    const said = text.trim().slice(0, LONGEST_REASON);
    throw new ScimError(status, `the SCIM server returned text that is not JSON for ${path}: ${said}`, {
      path,
    });
  }
}

/** Makes the error for a refusal, also of a server that does not explain it as RFC 7644 does. */
function refusal(status: number, text: string, path: string, method: string): ScimError {
  const { detail, scimType } = errorIn(text);
  const isHtml = isPage(text);
  const page = `, with a page of HTML for ${method}; check the URL, and whether the server supports ${method}`;
  const said = isHtml ? page : text.trim() && `: ${text.trim().slice(0, LONGEST_REASON)}`;
  const reason = detail ?? `the SCIM server returned ${status} for ${path}${said}`;
  return new ScimError(status, reason, { scimType, path, isHtml });
}

function errorIn(text: string): { detail?: string; scimType?: string } {
  try {
    const { detail, scimType } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...(typeof detail === 'string' ? { detail } : {}),
      ...(typeof scimType === 'string' ? { scimType } : {}),
    };
  } catch {
    return {};
  }
}

/**
 * Yields all resources of a type, or those that a filter finds. SCIM pages by offset and can miss a resource if another one
 * is deleted at the same time, so a changed total, a missing page or a wrong total is an error. If one is deleted and another one is
 * created, the total stays: `beforeNext` is called before each further page, and the caller must expect that resources have moved. Some
 * servers return the size of the page as the total.
 */
export async function* resources(
  scim: Scim,
  type: 'Users' | 'Groups',
  { filter, beforeNext = () => {} }: { filter?: string; beforeNext?: () => void } = {},
): AsyncGenerator<Resource> {
  const query = filter === undefined ? '' : `&filter=${encodeURIComponent(filter)}`;
  const pageAt = async (start: number) =>
    (await call(scim, 'GET', `/${type}?startIndex=${start}&count=${pageSize}${query}`)) as ListResponse;
  const seen = new Set<string>();
  let total: number | undefined;
  for (let read = 0; total === undefined || read < total; ) {
    if (read > 0) beforeNext();
    const page = await pageAt(read + 1);
    refusePage(page, read + 1, total, type);
    total ??= page.totalResults;
    const found = page.Resources ?? [];
    if (found.length === 0 && read < total)
      throw new Error(`the SCIM server returned only ${read} of ${total} ${type}`);
    read += found.length;
    for (const { id } of found) seen.add(id);
    const isFull = read === total && found.length >= pageSize;
    if (read > total || (isFull && (await isUnseen(pageAt(read + 1), seen))))
      throw new Error(`the SCIM server has more ${type} than its totalResults, ${total}`);
    yield* found;
  }
}

function refusePage(page: ListResponse, start: number, total: number | undefined, type: string): void {
  if (typeof page?.totalResults !== 'number')
    throw new Error(`the SCIM server's list of ${type} has no totalResults`);
  if ((page.startIndex ?? start) !== start)
    throw new Error(`the SCIM server ignores startIndex: requested ${start}, received ${page.startIndex}`);
  if (page.totalResults !== (total ?? page.totalResults))
    throw new Error(`the number of ${type} went from ${total} to ${page.totalResults} during the listing`);
}

/** Whether a page behind the last one has a resource of its own. A server may refuse the page, or return the first one again. */
async function isUnseen(page: Promise<ListResponse>, seen: ReadonlySet<string>): Promise<boolean> {
  try {
    return ((await page).Resources ?? []).some(({ id }) => !seen.has(id));
  } catch (error) {
    if (error instanceof ScimError && (error.status === 400 || error.status === 404)) return false;
    throw error;
  }
}

export async function read(scim: Scim, type: 'Users' | 'Groups', id: string): Promise<Resource | null> {
  try {
    const found = (await call(scim, 'GET', `/${type}/${encodeURIComponent(id)}`)) as Resource | undefined;
    if (found?.id?.toLowerCase() !== id.toLowerCase())
      throw new Error(`the SCIM server returned something else for ${type}/${id}`);
    return found;
  } catch (error) {
    if (error instanceof ScimError && error.status === 404 && !error.isHtml) return null;
    throw error;
  }
}

/** Quotes a value for a SCIM filter, as JSON does (RFC 7644, 3.4.2.2). */
export const quoted = (value: string): string => JSON.stringify(value);

/** Returns a text that is not empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
