import type { Held } from '#inventory/apps/held.ts';
import { type Db, everywhere, type OrgTx } from '#kit/database.ts';
import { one, type RawBuilder, run, sql, values } from '#kit/sql.ts';
import { differenceColumns } from '../../queries/differences.ts';
import type { Scope } from '../../relations.ts';
import { inOrder } from './differences.ts';

export interface StoredPlan {
  last_page: number;
  planned_at: Date;
  held: Held | null;
}

/** Returns the stored plan of a session if it is at most 10 minutes old. */
export const findStored = (tx: OrgTx, { orgId, sessionId }: Scope) => one<StoredPlan>(tx)`
    select last_page, planned_at, held from sync_plan
    where org_id = ${orgId} and session_id = ${sessionId} and planned_at > now() - interval '10 minutes'`;

/** The differences of a stored plan. */
export const storedDifferences = ({ orgId, sessionId }: Scope): RawBuilder<unknown> => sql`
  select ${differenceColumns} from sync_plan_change where org_id = ${orgId} and session_id = ${sessionId}`;

/** Replaces the stored plan of a session. */
export async function storePlan(
  tx: OrgTx,
  { orgId, sessionId }: Scope,
  lastPage: number,
  held: Held | null,
  differences: RawBuilder<unknown>,
): Promise<void> {
  await run(tx)`
    insert into sync_plan (org_id, session_id, last_page, planned_at, held)
    values (${orgId}, ${sessionId}, ${lastPage}, now(), ${held === null ? null : JSON.stringify(held)}::jsonb)
    on conflict (org_id, session_id) do update
    set last_page = excluded.last_page, planned_at = excluded.planned_at, held = excluded.held`;
  await run(tx)`delete from sync_plan_change where org_id = ${orgId} and session_id = ${sessionId}`;
  await run(tx)`
    insert into sync_plan_change (org_id, session_id, number, ${differenceColumns})
    select ${orgId}, ${sessionId}, row_number() over (order by ${inOrder}), ${differenceColumns}
    from (${differences}) as d`;
}

/**
 * Deletes the stored plans of all organizations that are too old to be shown, and the removals that were shown of
 * sessions that have ended.
 */
export async function deleteOldPlans(db: Db): Promise<void> {
  const organizations = await values<string>(everywhere(db))`
    select org_id from sync_plan where planned_at < now() - interval '10 minutes'
    union select org_id from sync_plan_shown`;
  for (const id of organizations) {
    await run(db)`
      with old as (
        delete from sync_plan where org_id = ${id} and planned_at < now() - interval '10 minutes' returning session_id
      )
      delete from sync_plan_change c using old where c.org_id = ${id} and c.session_id = old.session_id`;
    await run(db)`
      delete from sync_plan_shown p using sync_session s
      where p.org_id = ${id} and s.org_id = ${id} and s.id = p.session_id and s.status <> 'completing'`;
  }
}
