import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { exists, many, one, run, sql, value, values } from '#kit/sql.ts';
import type { Connector, ConnectorState, SecretView } from '../connector.ts';
import { type ConnectorFilter, connectorFilters } from '../filters.ts';

const columns = sql`
  app_id, type, definition, settings, described, schedule, paused, carries_out_tasks, acts_for, next_sync_at,
  scheduled_since, last_success_at, created_at, changed_at`;

export const findConnector = (db: OrgDb, appId: string) => one<Connector>(db)`
    select ${columns} from connector where org_id = ${db.orgId} and app_id = ${appId}`;

/** `apps`: only the connectors of these apps; null: all. */
export async function listConnectors(
  db: OrgDb,
  { apps, ...filter }: ConnectorFilter & { apps: readonly string[] | null },
  { limit, offset }: Page,
): Promise<Slice<ConnectorState>> {
  const visible = sql`c.org_id = ${db.orgId} and (${apps}::uuid[] is null or c.app_id = any(${apps}::uuid[]))`;
  const where = connectorFilters.where(db, filter, visible);
  const counted = await value<number>(db)`
    select count(*)::integer as n from connector c where ${where}`;
  const rows = await many<ConnectorState>(db)`
    select c.app_id, c.type, c.schedule, c.paused, c.next_sync_at, c.scheduled_since, c.last_success_at,
      r.state as last_sync_state, r.error as last_sync_error
    from connector c
    left join lateral (
      select state, error from connector_run
      where org_id = ${db.orgId} and app_id = c.app_id and kind = 'sync' and ended_at is not null
      order by id desc limit 1) r on true
    where ${where} order by c.app_id limit ${limit} offset ${offset}`;
  return { count: counted, results: rows };
}

/** Returns those of the apps that have a connector. */
export const appsWithConnector = (db: OrgDb, apps: readonly string[]) => values<string>(db)`
    select app_id from connector where org_id = ${db.orgId} and app_id = any(${[...apps]}::uuid[])`;

export const lockConnector = (tx: OrgTx, appId: string) => one<Connector>(tx)`
    select ${columns} from connector where org_id = ${tx.orgId} and app_id = ${appId} for update`;

export type Stored = Omit<Connector, 'app_id' | 'last_success_at' | 'created_at' | 'changed_at'>;

const json = (value: object | null) =>
  value === null ? sql`null::jsonb` : sql`${JSON.stringify(value)}::jsonb`;

/** Returns false if the app has a connector. */
export const insertConnector = (tx: OrgTx, appId: string, one: Stored) => exists(tx)`
    insert into connector (org_id, app_id, type, definition, settings, described, schedule, paused, carries_out_tasks,
      acts_for, next_sync_at, scheduled_since)
    values (${tx.orgId}, ${appId}, ${one.type}, ${one.definition}, ${json(one.settings)}, ${json(one.described)},
      ${json(one.schedule)}, ${one.paused}, ${one.carries_out_tasks}, ${one.acts_for}, ${one.next_sync_at},
      ${one.scheduled_since})
    on conflict do nothing returning app_id`;

export const updateConnector = (tx: OrgTx, appId: string, one: Stored) => run(tx)`
    update connector set definition = ${one.definition}, settings = ${json(one.settings)},
      described = ${json(one.described)}, schedule = ${json(one.schedule)}, paused = ${one.paused},
      carries_out_tasks = ${one.carries_out_tasks}, acts_for = ${one.acts_for}, next_sync_at = ${one.next_sync_at},
      scheduled_since = ${one.scheduled_since}, next_tasks_at = clock_now(), changed_at = clock_now()
    where org_id = ${tx.orgId} and app_id = ${appId}`;

/** Deletes the connector of an app with its secrets. Returns whether there was one. */
export async function deleteConnector(tx: OrgTx, appId: string): Promise<boolean> {
  await run(tx)`delete from connector_secret where org_id = ${tx.orgId} and app_id = ${appId}`;
  return exists(tx)`
    delete from connector where org_id = ${tx.orgId} and app_id = ${appId} returning app_id`;
}

export const listSecrets = (db: OrgDb, appId: string) => many<SecretView>(db)`
    select name, set_at from connector_secret where org_id = ${db.orgId} and app_id = ${appId} order by name`;

export const readSecrets = (db: OrgDb, appId: string) => many<{ name: string; sealed: string }>(db)`
    select name, sealed from connector_secret where org_id = ${db.orgId} and app_id = ${appId} order by name`;

export const putSecret = (tx: OrgTx, appId: string, name: string, sealed: string) => run(tx)`
    insert into connector_secret (org_id, app_id, name, sealed) values (${tx.orgId}, ${appId}, ${name}, ${sealed})
    on conflict (org_id, app_id, name) do update set sealed = excluded.sealed, set_at = excluded.set_at`;

export const deleteSecrets = (tx: OrgTx, appId: string, names: string[]) => run(tx)`
    delete from connector_secret
    where org_id = ${tx.orgId} and app_id = ${appId} and name = any(${names}::text[])`;
