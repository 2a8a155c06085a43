import type { Db } from '../platform/database/open.ts';
import { notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import type { Member } from './resource-queries.ts';
import * as queries from './resource-queries.ts';

export { listResources } from './resource-queries.ts';

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
