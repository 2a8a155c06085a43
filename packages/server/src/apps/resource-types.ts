import { changedFields } from '../events/changes.ts';
import { recordEvents } from '../events/record.ts';
import type { Db } from '../platform/database/open.ts';
import { isDuplicate } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import type { Page } from '../platform/http/lists.ts';
import type { Caller } from './admin.ts';
import type { App } from './queries.ts';
import * as queries from './queries.ts';

/** Resource type slugs (D14). */
export const SLUG = /^[A-Za-z0-9_-]{1,64}$/;

/** Lists the resource types of the app's clone group (D12). */
export const listResourceTypes = (db: Db, orgId: string, app: App, page: Page) =>
  queries.listResourceTypes(db, orgId, app.clone_group_id, page);

/** Registers a resource type (protocol 4.3). Throws 409 if the clone group already has the slug. */
export async function registerResourceType(
  db: Db,
  { principal: { orgId }, actor, source }: Caller,
  app: App,
  request: Pick<queries.ResourceType, 'slug' | 'name' | 'type'>,
): Promise<queries.ResourceType> {
  return transaction(db, async (tx) => {
    const type = await queries.insertResourceType(tx, orgId, app.clone_group_id, request);
    const { slug, name, type: kind } = type;
    await recordEvents(tx, orgId, [
      {
        type: 'resource_type.registered',
        actor,
        subject: { type: 'app', uuid: app.id },
        source,
        payload: { app_id: app.id, app_name: app.name, slug, name, type: kind },
      },
    ]);
    return type;
  }).catch((error: unknown) => {
    throw isDuplicate(error) ? conflict(`Resource type '${request.slug}' already exists.`) : error;
  });
}

/** Registers the type `account` for an app without accounts, so that people can request one. */
export async function ensureAccountType(db: Db, caller: Caller, app: App): Promise<void> {
  const { results } = await listResourceTypes(db, caller.principal.orgId, app, { limit: 1000, offset: 0 });
  if (results.some(({ type }) => type === 'account')) return;
  await registerResourceType(db, caller, app, { slug: 'account', name: 'Accounts', type: 'account' });
}

/** Throws 404 if the app's clone group has no resource type with this slug. */
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

/** Changes the name. Slug and type cannot change (D14). */
export async function updateResourceType(
  db: Db,
  { principal: { orgId }, actor, source }: Caller,
  app: App,
  slug: string,
  change: { name: string; slug?: unknown; type?: unknown },
): Promise<queries.ResourceType> {
  const stored = await resourceTypeOf(db, orgId, app, slug);
  for (const field of ['slug', 'type'] as const) {
    if (change[field] !== undefined && change[field] !== stored[field])
      throw invalid(
        `The ${field} of a resource type cannot change. Omit ${field} or send its current value.`,
      );
  }
  return transaction(db, async (tx) => {
    const renamed = await queries.renameResourceType(tx, orgId, app.clone_group_id, slug, change.name);
    if (renamed === undefined) throw notFound('Resource type');
    const changes = changedFields(stored, renamed, ['name']);
    if (changes.length === 0) return renamed;
    await recordEvents(tx, orgId, [
      {
        type: 'resource_type.updated',
        actor,
        subject: { type: 'app', uuid: app.id },
        source,
        payload: { app_id: app.id, app_name: app.name, slug, changes },
      },
    ]);
    return renamed;
  });
}
