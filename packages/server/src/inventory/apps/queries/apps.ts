import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, type RawBuilder, run, sql, value } from '#kit/sql.ts';
import type { App, ConfigurationStatus } from '../app.ts';
import { appColumns } from '../facts.ts';

export interface ResourceType {
  id: string;
  slug: string;
  name: string;
  type: 'account' | 'group' | 'license';
  created_at: Date;
}

/** `only` holds the apps that the key may access. Null means all. */
export async function listApps(db: OrgDb, only: string[] | null, page: Page): Promise<Slice<App>> {
  const where = sql`a.org_id = ${db.orgId} and a.archived_at is null and (${only}::uuid[] is null or a.id = any(${only}::uuid[]))`;
  const counted = await value<number>(db)`select count(*) as count from app a where ${where}`;
  const rows = await many<App>(db)`
    select ${appColumns} from app a where ${where} order by a.id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

/** `cloneGroupId` is the clone group to join. Null starts a new one. */
export async function insertApp(tx: OrgTx, name: string, cloneGroupId: string | null): Promise<App> {
  return (await one<App>(tx)`
    insert into app as a (org_id, id, name, clone_group_id)
    select ${tx.orgId}, id, ${name}, coalesce(${cloneGroupId}::uuid, id) from (select uuidv7() as id) fresh
    returning ${appColumns}`) as App;
}

/** Returns the changed app, or undefined if it already had that status. */
export const setConfigurationStatus = (
  tx: OrgTx,
  appId: string,
  status: ConfigurationStatus,
  byAdministrator: boolean,
) => one<App>(tx)`
    update app a set configuration_status = ${status}, disconnected_by_administrator = ${byAdministrator}
    where a.org_id = ${tx.orgId} and a.id = ${appId} and a.configuration_status <> ${status}
    returning ${appColumns}`;

export const setLastSynced = (tx: OrgTx, appId: string) =>
  run(tx)`update app set last_synced_at = clock_now() where org_id = ${tx.orgId} and id = ${appId}`;

/** Sets when the app was last synced, or null if no sync counts any more. */
export const setLastSyncedAt = (tx: OrgTx, appId: string, at: RawBuilder<unknown>) =>
  run(tx)`update app set last_synced_at = ${at} where org_id = ${tx.orgId} and id = ${appId}`;

const resourceType = sql`t.id, t.slug, t.name, t.type, t.created_at`;

export async function listResourceTypes(
  db: OrgDb,
  cloneGroupId: string,
  page: Page,
): Promise<Slice<ResourceType>> {
  const where = sql`t.org_id = ${db.orgId} and t.clone_group_id = ${cloneGroupId}`;
  const counted = await value<number>(db)`select count(*) as count from resource_type t where ${where}`;
  const rows = await many<ResourceType>(db)`
    select ${resourceType} from resource_type t where ${where} order by t.id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

export async function insertResourceType(
  db: OrgDb,
  cloneGroupId: string,
  { slug, name, type }: Pick<ResourceType, 'slug' | 'name' | 'type'>,
): Promise<ResourceType> {
  return (await one<ResourceType>(db)`
    insert into resource_type as t (org_id, clone_group_id, slug, name, type)
    values (${db.orgId}, ${cloneGroupId}, ${slug}, ${name}, ${type}) returning ${resourceType}`) as ResourceType;
}

export const renameResourceType = (
  db: OrgDb,
  cloneGroupId: string,
  slug: string,
  name: string,
) => one<ResourceType>(db)`
    update resource_type t set name = ${name}
    where t.org_id = ${db.orgId} and t.clone_group_id = ${cloneGroupId} and t.slug = ${slug} returning ${resourceType}`;

export const findResourceType = (db: OrgDb, cloneGroupId: string, slug: string) => one<ResourceType>(db)`
    select ${resourceType} from resource_type t
    where t.org_id = ${db.orgId} and t.clone_group_id = ${cloneGroupId} and t.slug = ${slug}`;
