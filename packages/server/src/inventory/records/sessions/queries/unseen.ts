import type { Unseen, UnseenCounts } from '#inventory/apps/unseen.ts';
import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql, value } from '#kit/sql.ts';

export const setReport = (
  tx: OrgTx,
  sessionId: string,
  report: readonly Unseen[],
  counts: UnseenCounts,
) => run(tx)`
    update sync_session set unseen = ${JSON.stringify(report)}::jsonb, unseen_counts = ${JSON.stringify(counts)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`;

/**
 * The session whose report holds for an app, as SQL: the newest completion that was published and not reverted. An upload, which reports
 * nothing, is one, too. An abandoned session is not.
 */
export const lastReport = (org: Org, appId: string): RawBuilder<unknown> =>
  newestReport(org, sql`${appId}::uuid`);

const newestReport = (org: Org, appId: RawBuilder<unknown>) => sql`(
  select reporting.id from sync_session reporting
  where reporting.org_id = ${org.orgId} and reporting.app_id = ${appId} and reporting.completing_at is not null
    and reporting.published_at is not null and reporting.reverted_at is null
  order by reporting.started_at desc, reporting.id desc limit 1)`;

/** Returns the report of a session, or nothing. */
export async function readReport(db: OrgDb, sessionId: string | RawBuilder<unknown>): Promise<Unseen[]> {
  return (
    (await value<Unseen[] | null | undefined>(db)`
    select s.unseen from sync_session s where s.org_id = ${db.orgId} and s.id = ${sessionId}`) ?? []
  );
}

/** Returns the sums of the reports that hold for these apps. */
export const readCounts = (db: OrgDb, appIds: string[]) => many<{
  app_id: string;
  unseen_counts: UnseenCounts;
}>(db)`
    select s.app_id, s.unseen_counts from unnest(${appIds}::uuid[]) as wanted (app_id)
    join sync_session s on s.org_id = ${db.orgId}
      and s.id = ${newestReport(db, sql`wanted.app_id`)}
    where s.unseen_counts is not null`;
