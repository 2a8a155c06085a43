import { DomainError } from '#kit/errors.ts';
import { statusOf } from '#kit/http.ts';
import { giveWay } from '#kit/place.ts';
import type { Call } from './call.ts';
import { bad, errorBody, ScimError, scimTypeOf } from './errors.ts';
import { createGroup, deleteGroup, getGroup, patchGroup, replaceGroup } from './groups.ts';
import { isRefusal, type Refusal } from './notes.ts';
import { isObject, type Resource } from './resource.ts';
import { patchUser, replaceUser } from './users/change.ts';
import { createUser } from './users/create.ts';
import { deleteUser } from './users/delete.ts';

export const MOST_BULK_OPERATIONS = 1000;
export const MOST_BULK_BYTES = 1024 * 1024;

interface Operation {
  method: string;
  path: string;
  bulkId: string | undefined;
  version: string | undefined;
  data: unknown;
}

interface Result {
  method: string;
  bulkId?: string;
  version?: string;
  location?: string;
  status: string;
  response?: Resource;
}

/**
 * Runs operations one by one, each in its own transaction (RFC 7644, 3.7). An operation that refers to the bulkId of
 * another operation runs after it. After `failOnErrors` errors, the remaining operations do not run. Returns which were refused as well.
 */
export async function bulk(
  call: Call,
  body: unknown,
): Promise<{ schemas: string[]; Operations: Result[]; refused: Refusal[] }> {
  const { operations, failOnErrors } = readBulk(body);
  const ids = new Map<string, string>();
  const results: Result[] = [];
  const refused: Refusal[] = [];
  let errors = 0;
  let pending = operations.map((operation) => ({ operation, references: referencesIn(operation) }));
  while (pending.length > 0 && errors < failOnErrors) {
    const coming = new Set(pending.map(({ operation }) => operation.bulkId));
    // If no operation is ready, they refer to each other. The first one then fails.
    const next = pending.find(({ references }) => !references.some((id) => coming.has(id))) ?? pending[0];
    if (next === undefined) break;
    pending = pending.filter((one) => one !== next);
    // A user refers to others as its manager only, who is left if nobody is known by the id (D79).
    const isUser = /^\/Users(\/(?!bulkId:)[^/]*)?$/.test(next.operation.path);
    const open = isUser ? [] : next.references.filter((id) => !ids.has(id));
    const { result, id } =
      open.length > 0
        ? { result: failure(next.operation, unresolved(open)), id: undefined }
        : await runOperation(call, next.operation, ids);
    if (next.operation.bulkId !== undefined && id !== undefined) ids.set(next.operation.bulkId, id);
    if (Number(result.status) >= 400) errors++;
    if (isRefusal(result.method, Number(result.status))) refused.push(refusalOf(next.operation, result));
    results.push(result);
    await giveWay();
  }
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'], Operations: results, refused };
}

function refusalOf({ method, path }: Operation, { status, response }: Result): Refusal {
  const [, resource = '', id = null] = path.split('/');
  return { method, resource, id, status: Number(status), detail: String(response?.detail ?? '') };
}

const unresolved = (ids: string[]) =>
  new ScimError('conflict', `No operation created ${ids.map((id) => `bulkId:${id}`).join(', ')}.`, {
    scimType: 'invalidValue',
  });

function readBulk(body: unknown): { operations: Operation[]; failOnErrors: number } {
  if (!isObject(body)) throw bad('invalidSyntax', 'Send a BulkRequest as a JSON object.');
  const fields = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  const list = fields.get('operations');
  if (!Array.isArray(list)) throw bad('invalidSyntax', 'Operations must be a list.');
  if (list.length > MOST_BULK_OPERATIONS)
    throw new ScimError(
      'too_large',
      `The request has ${list.length} operations. At most ${MOST_BULK_OPERATIONS} are allowed.`,
    );
  const most = Number(fields.get('failonerrors') ?? Number.POSITIVE_INFINITY);
  if (Number.isNaN(most) || most < 1) throw bad('invalidValue', 'failOnErrors must be a positive integer.');
  const seen = new Set<string>();
  const operations = list.map((given): Operation => {
    if (!isObject(given)) throw bad('invalidSyntax', 'Each operation must be an object.');
    const text = (name: string) => (typeof given[name] === 'string' ? (given[name] as string) : undefined);
    const method = (text('method') ?? '').toUpperCase();
    const bulkId = text('bulkId');
    if (method === 'POST' && bulkId === undefined)
      throw bad('invalidSyntax', 'A POST in a bulk request needs a bulkId.');
    if (bulkId !== undefined && method === 'POST') {
      if (seen.has(bulkId))
        throw bad('invalidValue', `Two operations have the bulkId ${bulkId}. Each bulkId must be unique.`);
      seen.add(bulkId);
    }
    return { method, path: text('path') ?? '', bulkId, version: text('version'), data: given.data };
  });
  return { operations, failOnErrors: most };
}

const REFERENCE = /^bulkId:(.+)$/;

/** Returns the bulkIds that an operation refers to, in its path or anywhere in its data. */
function referencesIn({ path, data }: Operation): string[] {
  const found = new Set<string>();
  const look = (value: unknown) => {
    if (typeof value === 'string') {
      const id = REFERENCE.exec(value)?.[1];
      if (id !== undefined) found.add(id);
    } else if (Array.isArray(value)) value.forEach(look);
    else if (isObject(value)) Object.values(value).forEach(look);
  };
  path.split('/').forEach(look);
  look(data);
  return [...found];
}

function replaced(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(REFERENCE.exec(value)?.[1] ?? '') ?? value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, ids));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, ids)]))
    : value;
}

/** Returns the result of an operation, and the id of the resource that it wrote. `ids` are those of earlier operations. */
async function runOperation(
  call: Call,
  operation: Operation,
  ids: ReadonlyMap<string, string>,
): Promise<{ result: Result; id: string | undefined }> {
  const { method, bulkId, version } = operation;
  const steps = operation.path.split('/').map((step) => replaced(step, ids) as string);
  const [, type = '', id] = steps;
  const data = replaced(operation.data, ids);
  const one = { ...call, ifMatch: version === undefined ? null : [version] };
  const location = id === undefined ? undefined : `${call.base}/${type}/${id}`;
  try {
    if (steps.length > 3) throw notFoundHere(operation.path);
    const resource = await dispatch(
      one,
      `${method} ${type}${id === undefined ? '' : '/id'}`,
      id ?? '',
      data,
      operation.path,
    );
    const meta = isObject(resource?.meta) ? resource.meta : {};
    const at = meta.location === undefined ? location : String(meta.location);
    const result: Result = {
      method,
      ...(bulkId === undefined ? {} : { bulkId }),
      ...(meta.version === undefined ? {} : { version: String(meta.version) }),
      ...(at === undefined ? {} : { location: at }),
      status: method === 'POST' ? '201' : method === 'DELETE' ? '204' : '200',
    };
    return { result, id: resource === undefined ? undefined : String(resource.id) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { result: failure(operation, error, location), id: undefined };
  }
}

async function dispatch(
  call: Call,
  what: string,
  id: string,
  data: unknown,
  path: string,
): Promise<Resource | undefined> {
  switch (what) {
    case 'POST Users':
      return createUser(call, data);
    case 'PUT Users/id':
      return replaceUser(call, id, data);
    case 'PATCH Users/id':
      return patchUser(call, id, data);
    case 'DELETE Users/id':
      await deleteUser(call, id);
      return undefined;
    case 'POST Groups':
      return createGroup(call, data, false);
    case 'PUT Groups/id':
      return replaceGroup(call, id, data, false);
    case 'PATCH Groups/id':
      await patchGroup(call, id, data);
      return getGroup(call, id, false);
    case 'DELETE Groups/id':
      await deleteGroup(call, id);
      return undefined;
    default:
      throw notFoundHere(path);
  }
}

const notFoundHere = (path: string) =>
  new ScimError('invalid', `Bulk requests do not support this method at ${path || 'an empty path'}.`, {
    scimType: 'invalidPath',
  });

function failure({ method, bulkId }: Operation, error: DomainError, location?: string): Result {
  const status = error instanceof ScimError && error.status !== undefined ? error.status : statusOf(error);
  return {
    method,
    ...(bulkId === undefined ? {} : { bulkId }),
    ...(location === undefined ? {} : { location }),
    status: String(status),
    response: errorBody(status, error.message, scimTypeOf(error)),
  };
}
