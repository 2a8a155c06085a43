import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, run, sql } from '#kit/sql.ts';
import type { SyncLosses, TaskLosses, Used } from '../losses.ts';

/** Locks the budgets of these apps until `tx` ends. Comes after the locks of tasks and before that of the log head. */
export const lockBudgets = (tx: OrgTx, appIds: readonly string[]) => run(tx)`
    insert into removal_budget (org_id, app_id)
    select ${tx.orgId}, id from unnest(${appIds}::uuid[]) as given (id) order by id
    on conflict (org_id, app_id) do update set app_id = excluded.app_id`;

/** A loss counts while its task is open, and until a day after it happened. */
const counts = sql`(open or at > clock_now() - interval '24 hours')`;

export async function recentLosses(
  db: OrgDb,
  appIds: readonly string[],
): Promise<{ app_id: string; used: Used }[]> {
  const sum = (column: 'accounts' | 'memberships', filter = sql``) =>
    sql`coalesce(sum(${sql.ref(column)}) ${filter}, 0)`;
  const gone = sql`filter (where gone)`;
  const goneAccounts = sql`coalesce(sum(accounts - suspended) ${gone}, 0)`;
  return many<{ app_id: string; used: Used }>(db)`
    select app_id, jsonb_build_object('accounts', ${sum('accounts')}, 'memberships', ${sum('memberships')},
      'gone', jsonb_build_object('accounts', ${goneAccounts}, 'memberships', ${sum('memberships', gone)})) as used
    from access_loss where org_id = ${db.orgId} and app_id = any(${appIds}::uuid[]) and ${counts}
    group by app_id`;
}

/** Counts what these tasks will take away, and forgets what their apps lost more than a day ago. */
export async function recordLosses(tx: OrgTx, losses: readonly TaskLosses[]): Promise<void> {
  if (losses.length === 0) return;
  await run(tx)`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(losses)}::jsonb)
        as g (task_id uuid, app_id uuid, accounts bigint, memberships bigint)
    ), forgotten as (
      delete from access_loss
      where org_id = ${tx.orgId} and app_id in (select app_id from given) and not ${counts}
        and source_id not in (select task_id from given))
    insert into access_loss (org_id, app_id, source_id, accounts, memberships, gone, open)
    select ${tx.orgId}, app_id, task_id, accounts, memberships, false, true from given
    on conflict (org_id, source_id) do update set at = excluded.at`;
}

/**
 * Counts what a sync session removes, instead of what was recorded for it before. A revert counts like a session;
 * `sessionId` is then the id of its change. `gone`: it is no longer in the inventory.
 */
export async function recordSyncLosses(
  tx: OrgTx,
  { orgId, appId, sessionId }: { orgId: string; appId: string; sessionId: string },
  { accounts, suspended, memberships }: SyncLosses,
  gone: boolean,
): Promise<void> {
  if (accounts + memberships === 0) return deleteLosses(tx, [sessionId]);
  await run(tx)`
    with forgotten as (
      delete from access_loss
      where org_id = ${orgId} and app_id = ${appId} and not ${counts} and source_id <> ${sessionId})
    insert into access_loss (org_id, app_id, source_id, accounts, suspended, memberships, gone)
    values (${orgId}, ${appId}, ${sessionId}, ${accounts}, ${suspended}, ${memberships}, ${gone})
    on conflict (org_id, source_id) do update set at = excluded.at, accounts = excluded.accounts,
      suspended = excluded.suspended, memberships = excluded.memberships, gone = excluded.gone`;
}

/** Counts what tasks have taken away from now on for a day. `gone`: it no longer exists in the inventory. */
export const closeLosses = (tx: OrgTx, taskIds: readonly string[], gone: boolean) => run(tx)`
    update access_loss set open = false, at = clock_now(), gone = ${gone}
    where org_id = ${tx.orgId} and source_id = any(${taskIds}::uuid[])`;

/** Removes the losses of tasks that have ended without an effect. */
export const deleteLosses = (tx: OrgTx, taskIds: readonly string[]) =>
  run(tx)`delete from access_loss where org_id = ${tx.orgId} and source_id = any(${taskIds}::uuid[])`;
