import type { Unseen, UnseenCounts } from '#inventory/apps/unseen.ts';
import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql, value } from '#kit/sql.ts';
import { newestReport } from '../facts.ts';

export const setReport = (
  tx: OrgTx,
  sessionId: string,
  report: readonly Unseen[],
  counts: UnseenCounts,
) => run(tx)`
    update sync_session set unseen = ${JSON.stringify(report)}::jsonb, unseen_counts = ${JSON.stringify(counts)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`;

/** The session whose report holds for an app, as SQL (newestReport). */
export const lastReport = (org: Org, appId: string): RawBuilder<unknown> =>
  newestReport(org, sql`${appId}::uuid`);

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
