import { setTimeout as sleep } from 'node:timers/promises';
import { TaskError, type TaskErrorCode } from '@gatehouse/connector';

export type Scim = { url: string; token: string; deliverTo: string | undefined };
export type Resource = { id: string } & Record<string, unknown>;
export type Operation = { op: 'add' | 'remove' | 'replace'; path: string; value?: unknown };
type ListResponse = { totalResults: number; startIndex?: number; Resources?: Resource[] };

/** What a server refused, with the status and the scimType that say why (RFC 7644, 3.12). */
export class ScimError extends Error {
  override name = 'ScimError';
  readonly status: number;
  readonly scimType: string | undefined;
  constructor(status: number, detail: string, scimType?: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

const meanings: Record<number, TaskErrorCode> = {
  401: 'PERMISSION_DENIED',
  403: 'PERMISSION_DENIED',
  404: 'ACCOUNT_NOT_FOUND',
  408: 'TIMEOUT',
  409: 'ACCOUNT_ALREADY_EXISTS',
  429: 'RATE_LIMITED',
  504: 'TIMEOUT',
};

export function meaningOf(error: unknown): TaskError | undefined {
  if (error instanceof Error && error.name === 'TimeoutError')
    return new TaskError('TIMEOUT', 'the SCIM server did not answer in time');
  if (!(error instanceof ScimError)) return undefined;
  const code = error.scimType === 'uniqueness' ? 'ACCOUNT_ALREADY_EXISTS' : meanings[error.status];
  return code && new TaskError(code, error.message, { cause: error });
}

const pageSize = 100;
const patience = 10;

/** One call. Being throttled while reading is waited out; a write is reported, since the service tries it again itself. */
export async function call(scim: Scim, method: string, path: string, body?: unknown): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(scim.url.replace(/\/+$/, '') + path, {
      method,
      headers: {
        authorization: `Bearer ${scim.token}`,
        accept: 'application/scim+json',
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : JSON.parse(text);
    if (response.status !== 429 || method !== 'GET' || tries > patience)
      throw refusal(response.status, text, path);
    await sleep(Math.min(Number(response.headers.get('retry-after')) || 1, 120) * 1000);
  }
}

function refusal(status: number, text: string, path: string): ScimError {
  try {
    const { detail, scimType } = JSON.parse(text) as { detail?: string; scimType?: string };
    return new ScimError(status, detail ?? `the SCIM server answered ${status} to ${path}`, scimType);
  } catch {
    return new ScimError(status, `the SCIM server answered ${status} to ${path}`);
  }
}

/**
 * All resources of a type. SCIM pages by offset, which misses one when another is deleted meanwhile: a total that moves
 * or a page that is short is therefore an error, and not the end of the list.
 */
export async function* resources(scim: Scim, type: 'Users' | 'Groups'): AsyncGenerator<Resource> {
  let total: number | undefined;
  for (let read = 0; total === undefined || read < total; ) {
    const page = (await call(
      scim,
      'GET',
      `/${type}?startIndex=${read + 1}&count=${pageSize}`,
    )) as ListResponse;
    if (typeof page?.totalResults !== 'number')
      throw new Error(`the SCIM server's list of ${type} has no totalResults`);
    if ((page.startIndex ?? read + 1) !== read + 1)
      throw new Error(
        `the SCIM server ignores startIndex: asked for ${read + 1}, it gave ${page.startIndex}`,
      );
    total ??= page.totalResults;
    if (page.totalResults !== total)
      throw new Error(`${type} went from ${total} to ${page.totalResults} while they were read`);
    const found = page.Resources ?? [];
    if (found.length === 0 && read < total)
      throw new Error(`the SCIM server gave ${read} of ${total} ${type} and then no more`);
    yield* found;
    read += found.length;
  }
}

export async function read(scim: Scim, type: 'Users' | 'Groups', id: string): Promise<Resource | null> {
  try {
    return (await call(scim, 'GET', `/${type}/${encodeURIComponent(id)}`)) as Resource;
  } catch (error) {
    if (error instanceof ScimError && error.status === 404) return null;
    throw error;
  }
}

export async function patch(
  scim: Scim,
  type: 'Users' | 'Groups',
  id: string,
  operations: Operation[],
): Promise<void> {
  await call(scim, 'PATCH', `/${type}/${encodeURIComponent(id)}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: operations,
  });
}

/** A value inside a SCIM filter: JSON's own quoting (RFC 7644, 3.4.2.2). */
export const quoted = (value: string): string => JSON.stringify(value);
