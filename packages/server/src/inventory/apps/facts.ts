import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, one, run, sql } from '#kit/sql.ts';
import type { App } from './app.ts';
import type { UserNameSettings } from './user-names/naming.ts';

export const appColumns = sql`a.id, a.name, a.clone_group_id, a.configuration_status, a.disconnected_by_administrator,
  a.removal_guard, a.owner_id, a.created_at, a.last_synced_at`;

export const findApp = (db: OrgDb, appId: string) => one<App>(db)`
    select ${appColumns} from app a where a.org_id = ${db.orgId} and a.id = ${appId} and a.archived_at is null`;

/** Returns the app and locks it until the transaction ends. */
export async function lockApp(tx: OrgTx, appId: string): Promise<App | undefined> {
  return one<App>(tx)`
    select ${appColumns} from app a where a.org_id = ${tx.orgId} and a.id = ${appId} and a.archived_at is null
    for no key update`;
}

/** Prevents these apps from being published into or archived. Returns those that exist and are not archived. */
export async function holdApps(tx: OrgTx, appIds: string[]): Promise<Set<string>> {
  const rows = await many<{ id: string }>(tx)`
    select id from app where org_id = ${tx.orgId} and id = any(${appIds}::uuid[]) and archived_at is null
    order by id for share`;
  return new Set(rows.map(({ id }) => id));
}

/** Returns what apps say about the user names of their accounts, by app. */
export async function userNameSettingsOf(
  db: OrgDb,
  appIds: readonly string[],
): Promise<Map<string, UserNameSettings>> {
  const rows = await many<UserNameSettings & { id: string }>(db)`
    select id, user_name, user_name_kind from app
    where org_id = ${db.orgId} and id = any(${appIds}::uuid[])`;
  return new Map(rows.map(({ id, ...settings }) => [id, settings]));
}

/** Whether app `a` names a person as its owner or an approver. */
export const naming = (personId: string) => sql`(
  a.owner_id = ${personId} or a.fallback_approvers @> array[${personId}::uuid]
  or a.approval_steps::text like ${`%${personId}%`})`;

/** Locks the apps that name a person as their owner or an approver. */
export const lockAppsNaming = (tx: OrgTx, personId: string) => run(tx)`
    select from app a where a.org_id = ${tx.orgId} and ${naming(personId)} order by a.id for no key update`;
