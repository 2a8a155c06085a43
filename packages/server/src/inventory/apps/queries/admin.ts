import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, run, sql, type ValuesOf, value } from '#kit/sql.ts';
import type { UserNameKind } from '../../../../../protocol/src/user-names.ts';
import type { AdminApp, AppSettings, ConfigurationStatus } from '../app.ts';
import { naming } from '../facts.ts';
import { appFilters } from '../filters.ts';

const adminApp = sql`a.id, a.name, a.configuration_status, a.created_at, a.last_synced_at, a.owner_id as owner,
  a.approval_steps, a.fallback_approvers::text[] as fallback_approvers,
  a.escalate_after_working_days, a.removal_guard, a.user_name, a.user_name_kind`;

export const findAdminApp = (db: OrgDb, appId: string) => one<AdminApp>(db)`
    select ${adminApp} from app a where a.org_id = ${db.orgId} and a.id = ${appId} and a.archived_at is null`;

/** `only` holds the apps that the key may access. Null means all. */
export async function listAdminApps(
  db: OrgDb,
  { only, ...filter }: ValuesOf<typeof appFilters> & { only: string[] | null },
  page: Page,
): Promise<Slice<AdminApp>> {
  const listed = sql`a.org_id = ${db.orgId} and a.archived_at is null
    and (${only}::uuid[] is null or a.id = any(${only}::uuid[]))`;
  const where = appFilters.where(db, filter, listed);
  const counted = await value<number>(db)`select count(*) as n from app a where ${where}`;
  const rows = await many<AdminApp>(db)`
    select ${adminApp} from app a where ${where} order by a.id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

export async function setSettings(tx: OrgTx, appId: string, to: AppSettings): Promise<void> {
  const guard = to.removal_guard === null ? null : JSON.stringify(to.removal_guard);
  const userName = to.user_name === null ? null : JSON.stringify(to.user_name);
  await run(tx)`
    update app set name = ${to.name}, owner_id = ${to.owner}, removal_guard = ${guard}::jsonb,
      approval_steps = ${JSON.stringify(to.approval_steps)}::jsonb, fallback_approvers = ${to.fallback_approvers}::uuid[],
      escalate_after_working_days = ${to.escalate_after_working_days}, user_name = ${userName}::jsonb
    where org_id = ${tx.orgId} and id = ${appId}`;
}

export const setConnection = (
  tx: OrgTx,
  appId: string,
  to: { status: ConfigurationStatus; disconnectedByAdministrator: boolean },
) => run(tx)`
    update app set configuration_status = ${to.status}, disconnected_by_administrator = ${to.disconnectedByAdministrator}
    where org_id = ${tx.orgId} and id = ${appId}`;

export const setUserNameKind = (tx: OrgTx, appId: string, kind: UserNameKind | null) => run(tx)`
    update app set user_name_kind = ${kind}
    where org_id = ${tx.orgId} and id = ${appId} and user_name_kind is distinct from ${kind}::text`;

export const setArchived = (tx: OrgTx, appId: string) =>
  run(tx)`update app set archived_at = now() where org_id = ${tx.orgId} and id = ${appId}`;

export const appsNaming = (tx: OrgTx, personId: string) => many<AdminApp>(tx)`
    select ${adminApp} from app a where a.org_id = ${tx.orgId} and ${naming(personId)} order by a.id`;
