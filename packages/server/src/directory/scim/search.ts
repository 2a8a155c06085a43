import { isStatementTimeout, type OrgDb, type OrgTx, withTimeLimit } from '#kit/database.ts';
import type { Call } from './call.ts';
import { bad } from './errors.ts';
import { readFilter } from './filter.ts';
import { groupResource } from './groups.ts';
import { includes, type Projection, project } from './project.ts';
import * as queries from './queries/scim.ts';
import { isObject, type Resource } from './resource.ts';
import { Group, placeOf, type ResourceType, User } from './schema.ts';
import { userResource } from './users/resource.ts';

export const MOST_RESULTS = 200;
const DEFAULT_RESULTS = 100;

/** The parameters of a list or the body of `/.search` (RFC 7644, 3.4). */
export interface Query extends Projection {
  filter: string | undefined;
  sortBy: string | undefined;
  descending: boolean;
  startIndex: number;
  count: number;
}

/** Reads the parameters of a list or the body of `/.search`. Attribute names may be separated by commas. */
export function readQuery(given: unknown): Query {
  const fields = isObject(given) ? given : {};
  const named = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
  const text = (name: string) => {
    const value = named.get(name.toLowerCase());
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw bad('invalidValue', `${name} must be a string.`);
    return value || undefined;
  };
  return {
    ...readProjection(fields),
    filter: text('filter'),
    sortBy: text('sortBy'),
    descending: /^descending$/i.test(text('sortOrder') ?? ''),
    startIndex: Math.max(1, integer('startIndex', named.get('startindex'), 1)),
    count: Math.min(MOST_RESULTS, Math.max(0, integer('count', named.get('count'), DEFAULT_RESULTS))),
  };
}

export function readProjection(given: unknown): Projection {
  const fields = isObject(given) ? given : {};
  const named = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
  const names = (name: string) =>
    [named.get(name)]
      .flat()
      .flatMap((one) => String(one ?? '').split(','))
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return { attributes: names('attributes'), excluded: names('excludedattributes') };
}

function integer(name: string, value: unknown, otherwise: number): number {
  if (value === undefined || value === null || value === '') return otherwise;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw bad('invalidValue', `${name} must be an integer.`);
  return number;
}

export interface Found {
  total: number;
  resources: Resource[];
}

/** Finds resources of one type. Throws 400 for an invalid filter or one that takes too long. */
export async function search(
  type: ResourceType,
  call: Call,
  query: Query,
  offset = query.startIndex - 1,
  limit = query.count,
): Promise<Found> {
  const { base } = call;
  const place = query.sortBy === undefined ? undefined : placeOf(type, query.sortBy);
  const filter = query.filter === undefined ? undefined : readFilter(type, query.filter);
  const sort = place?.attribute === undefined ? undefined : { by: place, descending: query.descending };
  const wanted = { filter, sort, offset, limit };
  if (type === User) {
    const { total, rows } = await inTime(call, (tx) => queries.searchUsers(tx, wanted));
    return { total, resources: rows.map((row) => project(User, userResource(row, base), query)) };
  }
  const withMembers = includes(Group, 'members', query);
  const { total, rows } = await inTime(call, (tx) => queries.searchGroups(tx, wanted, withMembers));
  return { total, resources: rows.map((row) => project(Group, groupResource(row, base), query)) };
}

const SECONDS = 5;

/** Runs a search with a time limit for each statement. Throws 400 `tooMany` if a statement exceeds it. */
async function inTime<T>(db: OrgDb, work: (tx: OrgTx) => Promise<T>): Promise<T> {
  try {
    return await withTimeLimit(db, SECONDS, work);
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw bad('tooMany', 'The search takes too long. Use fewer comparisons, or find users by userName eq.');
  }
}

/** Finds users, then groups, for `/.search` at the root. A type that lacks an attribute of the filter has no results. */
export async function searchAll(call: Call, query: Query): Promise<Found> {
  const { filter } = query;
  const readable = [User, Group].filter((type) => filter === undefined || isReadable(type, filter));
  if (readable.length === 0 && filter !== undefined) readFilter(User, filter);
  let total = 0;
  const resources: Resource[] = [];
  for (const type of readable) {
    const offset = Math.max(0, query.startIndex - 1 - total);
    const found = await search(type, call, query, offset, query.count - resources.length);
    total += found.total;
    resources.push(...found.resources);
  }
  return { total, resources };
}

function isReadable(type: ResourceType, filter: string): boolean {
  try {
    readFilter(type, filter);
    return true;
  } catch {
    return false;
  }
}

export const listResponse = ({ total, resources }: Found, startIndex: number): Resource => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
