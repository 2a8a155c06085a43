import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import * as queries from './queries/resources.ts';
import type { ReadGrants } from './reasons.ts';
import type { MemberFilter, ResourceFilter } from './resource-filters.ts';
import type { Member, Resource } from './resource-schemas.ts';

/** Lists the groups and licenses of an app. */
export async function listResources(
  call: Call,
  appId: string,
  filter: ResourceFilter,
  page: Page,
): Promise<Slice<Resource>> {
  const { count, ids } = await queries.listResources(call, appId, filter, page);
  return { count, results: await resourcesOf(call, ids) };
}

const WITHHELD = { members: null, hidden_members: null, hidden: [], used_count: null, max_count: null };

/** Returns groups and licenses in this order. Members do not see how many accounts hold them. */
export async function resourcesOf(call: Call, ids: string[]): Promise<Resource[]> {
  const isMember = call.principal.role === 'member';
  return (await queries.readResources(call, ids)).map((resource) => ({
    ...resource,
    is_full: isFull(resource),
    ...(isMember ? WITHHELD : {}),
  }));
}

/** Whether a license has no free seats. Null for groups. A limit of 0 means unlimited. */
function isFull({ type, max_count, used_count, members, is_unlimited }: queries.ResourceRow): boolean | null {
  if (type === 'group') return null;
  if (max_count === null || max_count === 0 || is_unlimited === true) return false;
  return (used_count ?? members) >= max_count;
}

/** Lists the accounts that hold a group or license, with the grants on it. 404 if it does not belong to the app. */
export async function membersOf(
  call: Call,
  { appId, resourceId, readGrants }: { appId: string; resourceId: string; readGrants: ReadGrants },
  filter: MemberFilter,
  page: Page,
): Promise<Slice<Member>> {
  if (!(await queries.resourceExists(call, appId, resourceId))) throw notFound('Resource');
  const { results, ...counts } = await queries.listMembers(call, { appId, resourceId }, filter, page);
  const accounts = results.map(({ external_uuid }) => external_uuid);
  const only = [...new Set(results.map(({ source_id }) => source_id ?? resourceId))];
  const grants = accounts.length === 0 ? [] : await readGrants(call, accounts, { only });
  const on = Map.groupBy(grants, ({ account_id, entitlement_id }) => `${account_id} ${entitlement_id}`);
  return {
    ...counts,
    results: results.map(({ source, source_id, ...member }) => ({
      ...member,
      grants: (on.get(`${member.external_uuid} ${source_id ?? resourceId}`) ?? []).map(({ grant }) =>
        source === null ? grant : { ...grant, via: source },
      ),
    })),
  };
}
