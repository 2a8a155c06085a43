import type { Db } from '../platform/database/open.ts';
import { isDuplicate } from '../platform/database/sqlstate.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import type { Page } from '../platform/http/lists.ts';
import type { App } from './queries.ts';
import * as queries from './queries.ts';

/** D14. */
export const SLUG = /^[A-Za-z0-9_-]{1,64}$/;

/** The resource types of the app's whole clone group (D12). */
export const listResourceTypes = (db: Db, orgId: string, app: App, page: Page) =>
  queries.listResourceTypes(db, orgId, app.clone_group_id, page);

/** Contract 4.3. 409 where the clone group has the slug already. */
export async function registerResourceType(
  db: Db,
  orgId: string,
  app: App,
  request: Pick<queries.ResourceType, 'slug' | 'name' | 'type'>,
): Promise<queries.ResourceType> {
  try {
    return await queries.insertResourceType(db, orgId, app.clone_group_id, request);
  } catch (error) {
    throw isDuplicate(error) ? conflict(`Resource type '${request.slug}' already exists.`) : error;
  }
}

/** 404 for a slug that nobody in the app's clone group registered. */
export async function resourceTypeOf(
  db: Db,
  orgId: string,
  app: App,
  slug: string,
): Promise<queries.ResourceType> {
  const type = SLUG.test(slug)
    ? await queries.findResourceType(db, orgId, app.clone_group_id, slug)
    : undefined;
  if (type === undefined) throw notFound('Resource type');
  return type;
}

/** D14: only the name can change. */
export async function updateResourceType(
  db: Db,
  orgId: string,
  app: App,
  slug: string,
  change: { name: string; slug?: unknown; type?: unknown },
): Promise<queries.ResourceType> {
  const stored = await resourceTypeOf(db, orgId, app, slug);
  for (const field of ['slug', 'type'] as const) {
    if (change[field] !== undefined && change[field] !== stored[field])
      throw invalid(`The ${field} of a resource type cannot change.`);
  }
  const renamed = await queries.renameResourceType(db, orgId, app.clone_group_id, slug, change.name);
  if (renamed === undefined) throw notFound('Resource type');
  return renamed;
}
