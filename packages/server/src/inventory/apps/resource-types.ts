import { isDuplicate, type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import type { Page } from '#kit/pages.ts';
import { changedFields } from '#log/events/changes.ts';
import { recordEvents } from '#log/events/record.ts';
import type { App } from './app.ts';
import * as queries from './queries/apps.ts';
import { appRefusals } from './sentences.ts';

/** Resource type slugs (D14). */
export const SLUG = /^[A-Za-z0-9_-]{1,64}$/;

/** Lists the resource types of the app's clone group (D12). */
export const listResourceTypes = (db: OrgDb, app: App, page: Page) =>
  queries.listResourceTypes(db, app.clone_group_id, page);

/** Registers a resource type (protocol 4.3). Throws 409 if the clone group already has the slug. */
export async function registerResourceType(
  call: Call,
  app: App,
  request: Pick<queries.ResourceType, 'slug' | 'name' | 'type'>,
): Promise<queries.ResourceType> {
  return transaction(call, async (tx) => {
    const type = await queries.insertResourceType(tx, app.clone_group_id, request);
    const { slug, name, type: kind } = type;
    await recordEvents(tx, [
      {
        type: 'resource_type.registered',
        actor: call.cause.actor,
        subject: { type: 'app', uuid: app.id },
        source: call.cause.source,
        payload: { app_id: app.id, app_name: app.name, slug, name, type: kind },
      },
    ]);
    return type;
  }).catch((error: unknown) => {
    throw isDuplicate(error) ? appRefusals.resource_type_taken({ slug: request.slug }) : error;
  });
}

/** Registers the type `account` for an app without accounts, so that people can request one. */
export async function ensureAccountType(call: Call, app: App): Promise<void> {
  const { results } = await listResourceTypes(call, app, {
    limit: 1000,
    offset: 0,
  });
  if (results.some(({ type }) => type === 'account')) return;
  await registerResourceType(call, app, { slug: 'account', name: 'Accounts', type: 'account' });
}

/** Throws 404 if the app's clone group has no resource type with this slug. */
export async function resourceTypeOf(db: OrgDb, app: App, slug: string): Promise<queries.ResourceType> {
  const type = SLUG.test(slug) ? await queries.findResourceType(db, app.clone_group_id, slug) : undefined;
  if (type === undefined) throw notFound('Resource type');
  return type;
}

/** Changes the name. Slug and type cannot change (D14). */
export async function updateResourceType(
  call: Call,
  app: App,
  stored: queries.ResourceType,
  change: { name: string; slug?: unknown; type?: unknown },
): Promise<queries.ResourceType> {
  const { slug } = stored;
  for (const field of ['slug', 'type'] as const) {
    if (change[field] !== undefined && change[field] !== stored[field])
      throw appRefusals.resource_type_field_fixed({ field });
  }
  return transaction(call, async (tx) => {
    const renamed = await queries.renameResourceType(tx, app.clone_group_id, slug, change.name);
    if (renamed === undefined) throw notFound('Resource type');
    const changes = changedFields(stored, renamed, ['name']);
    if (changes.length === 0) return renamed;
    await recordEvents(tx, [
      {
        type: 'resource_type.updated',
        actor: call.cause.actor,
        subject: { type: 'app', uuid: app.id },
        source: call.cause.source,
        payload: { app_id: app.id, app_name: app.name, slug, changes },
      },
    ]);
    return renamed;
  });
}
