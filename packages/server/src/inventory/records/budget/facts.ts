import type { OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql, value } from '#kit/sql.ts';

/** Whether the losses of a task are counted. Both arguments are SQL expressions. */
export const hasLosses = (
  orgId: RawBuilder<unknown>,
  taskId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from access_loss l where l.org_id = ${orgId} and l.source_id = ${taskId})`;

/** Counts the accounts of an app that have access, and their memberships. */
export const countAccessOf = (tx: OrgDb, appId: string) => ({
  accounts: () => value<number>(tx)`
      select coalesce(sum(n), 0)::bigint as n from account_count
      where org_id = ${tx.orgId} and app_id = ${appId} and status in ('INVITED', 'ACTIVE', 'SUSPENDED')`,
  accountsADayAgo: () => value<number>(tx)`
      with first as materialized (
        select min(s.finished_at) as at from sync_session s
        where s.org_id = ${tx.orgId} and s.app_id = ${appId} and s.status = 'completed')
      select count(*) as n
      from account a cross join (
        select greatest(first.at, seconds_after(clock_now(), -86400)) as at from first where first.at is not null) ago
      where a.org_id = ${tx.orgId} and a.app_id = ${appId} and a.created_at <= ago.at and a.status <> 'NEW'
        and (a.status <> 'INACTIVE' or a.since > ago.at)`,
  memberships: () => value<number>(tx)`
      select count(*) as n from account a join membership m on m.org_id = a.org_id and m.account_id = a.id
      where a.org_id = ${tx.orgId} and a.app_id = ${appId}`,
});
