import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/open.ts';
import type { TypeProgress } from '../session.ts';

/** Counts the pushed records of each resource type of the app. A record that was pushed again counts once. */
export async function progressOf(db: Db, orgId: string, sessionId: string): Promise<TypeProgress[]> {
  const { rows } = await sql<TypeProgress>`
    select t.slug, t.name, t.type, coalesce(p.n, 0) as synced_count
    from sync_session s
    join app a on a.org_id = s.org_id and a.id = s.app_id
    join resource_type t on t.org_id = s.org_id and t.clone_group_id = a.clone_group_id
    left join (
      select resource_type_id, count(*) as n from (
        select distinct resource_type_id, id collate "C" from sync_page cross join lateral unnest(record_ids) as pushed (id)
        where org_id = ${orgId} and session_id = ${sessionId}) as pushed
      group by resource_type_id
    ) p on p.resource_type_id = t.id
    where s.org_id = ${orgId} and s.id = ${sessionId}
    order by t.id`.execute(db);
  return rows;
}

export async function discardPages(tx: Tx, orgId: string, sessionId: string): Promise<void> {
  await sql`delete from sync_page where org_id = ${orgId} and session_id = ${sessionId}`.execute(tx);
  await sql`delete from sync_new_record where org_id = ${orgId} and session_id = ${sessionId}`.execute(tx);
}
