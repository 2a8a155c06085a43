import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import type { Member, Resource, ResourceFilter } from './resource-queries.ts';
import * as queries from './resource-queries.ts';

/** A group or license as somebody may see it: how many have it is null to members. */
export type ResourceView = Omit<Resource, 'members'> & { members: number | null };

/** Groups and licenses of an app. A member is told what there is to ask for, and not how many have it (Roles). */
export async function listResources(
  db: Db,
  { orgId, role }: Principal,
  appId: string,
  filter: ResourceFilter,
  page: Page,
): Promise<Slice<ResourceView>> {
  const { count, results } = await queries.listResources(db, orgId, appId, filter, page);
  if (role !== 'member') return { count, results };
  const untold = { members: null, used_count: null, max_count: null };
  return { count, results: results.map((resource) => ({ ...resource, ...untold })) };
}

/** Who is in a group or has a license. 404 for one that is not of this app. */
export async function membersOf(
  db: Db,
  orgId: string,
  appId: string,
  resourceId: string,
  page: Page,
): Promise<Slice<Member>> {
  if (!(await queries.resourceExists(db, orgId, appId, resourceId))) throw notFound('Resource');
  return queries.listMembers(db, orgId, resourceId, page);
}
