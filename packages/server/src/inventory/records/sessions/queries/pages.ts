import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, run } from '#kit/sql.ts';
import type { TypeProgress } from '../session.ts';

/** Counts the pushed records of each resource type of the app. A record that was pushed again counts once. */
export const progressOf = (db: OrgDb, sessionId: string) => many<TypeProgress>(db)`
    select t.slug, t.name, t.type, coalesce(p.n, 0) as synced_count
    from sync_session s
    join app a on a.org_id = s.org_id and a.id = s.app_id
    join resource_type t on t.org_id = s.org_id and t.clone_group_id = a.clone_group_id
    left join (
      select resource_type_id, count(*) as n from (
        select distinct resource_type_id, id collate "C" from sync_page cross join lateral unnest(record_ids) as pushed (id)
        where org_id = ${db.orgId} and session_id = ${sessionId}) as pushed
      group by resource_type_id
    ) p on p.resource_type_id = t.id
    where s.org_id = ${db.orgId} and s.id = ${sessionId}
    order by t.id`;

/** The pages of an organization that are not published. */
export interface StagedPages {
  bytes: number;
  /** The number of pages of each session. */
  sessions: Map<string, number>;
}

/** Reads sizes without the values, which are stored apart from their rows. */
export async function stagedPagesOf(db: OrgDb): Promise<StagedPages> {
  const rows = await many<{ session_id: string; pages: number; bytes: number }>(db)`
    select session_id, count(*) as pages,
      sum(pg_column_size(records) + pg_column_size(ref_ids) + pg_column_size(ref_names) + pg_column_size(ref_via_ids)
        + coalesce(pg_column_size(details), 0)) as bytes
    from sync_page where org_id = ${db.orgId} group by session_id`;
  return {
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    sessions: new Map(rows.map((row) => [row.session_id, row.pages])),
  };
}

export async function discardPages(tx: OrgTx, sessionId: string): Promise<void> {
  await run(tx)`delete from sync_page where org_id = ${tx.orgId} and session_id = ${sessionId}`;
  await run(tx)`delete from sync_new_record where org_id = ${tx.orgId} and session_id = ${sessionId}`;
}
