import type { Db, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import type { Scope } from '../relations.ts';
import { differenceColumns } from './differences.ts';

/** Records what the session does to groups and licenses. `differences` has the columns of `difference`. */
export const recordResourceChanges = (
  tx: OrgTx,
  { orgId, sessionId }: Scope,
  differences: RawBuilder<unknown>,
) => run(tx)`
    insert into sync_resource_change (org_id, session_id, slug, kind, external_id, name, change, before, after)
    select ${orgId}, ${sessionId}, slug, kind, resource_id, resource_name, change, before, after
    from (${differences}) as d (${differenceColumns}) where type = 'resource'`;

/** Selects what a session did to groups and licenses, with the columns of `difference`. */
export const resourceChangesOf = ({ orgId, sessionId }: Scope): RawBuilder<unknown> => sql`
  select 'resource', change, null::uuid, null::text, null::text, null::text, null::text, null::uuid,
    slug, kind, external_id, name, before, after
  from sync_resource_change where org_id = ${orgId} and session_id = ${sessionId}`;

/** Deletes what is older than the organization keeps its history. */
export async function deleteOldResourceChanges(db: Db): Promise<void> {
  const rows = await many<{ id: string; days: number }>(db)`
    select id, history_days as days from organization where history_days is not null`;
  for (const { id, days } of rows) {
    await run(db)`
      delete from sync_resource_change
      where org_id = ${id} and at < now() - ${days} * interval '24 hours'`;
  }
}
