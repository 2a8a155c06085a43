import { type OrgTx, timeToInsert } from '#kit/database.ts';
import type { Actor } from '#kit/identity.ts';
import { type RawBuilder, run, sql } from '#kit/sql.ts';
import { isSighting } from '../change-facts.ts';

const idOf = ({ rows }: { rows: { id: string }[] }): string => {
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The publication of a removal is not in the history.');
  return id;
};

export async function insertTaskChange(
  tx: OrgTx,
  taskId: string | null,
  actor: Actor | null,
): Promise<string> {
  const now = await timeToInsert(tx);
  return idOf(
    await sql<{ id: string }>`
      insert into inventory_change (org_id, kind, source_id, actor, at, not_before, seen_until, gone_by)
      select ${tx.orgId}, 'task', ${taskId}::uuid, ${actor === null ? null : JSON.stringify(actor)}::jsonb, t, t, t, t
      from (select ${now} as t offset 0) as clock
      returning id`.execute(tx),
  );
}

/** A sync session whose records are about to be published or removed. `startedAt` is its start, as SQL. */
export interface SyncSource {
  orgId: string;
  appId: string;
  sessionId: string;
  startedAt: RawBuilder<unknown>;
}

/**
 * The time of a publication is later than that of the app's earlier ones even if the clock was set back. A session can
 * start before the previous one was published; then it tells nothing about the time between.
 */
export async function insertPublication(
  tx: OrgTx,
  { orgId, appId, sessionId, startedAt }: SyncSource,
  kind: 'sync' | 'abandoned_sync',
): Promise<string> {
  const now = await timeToInsert(tx);
  return idOf(
    await sql<{ id: string }>`
      with newest as (
        select max(at) as at from (
          select at from inventory_change
          where org_id = ${orgId} and app_id = ${appId} and started_at is not null order by at desc limit 1) as n
      ), last as (
        select ic.at, ic.started_at from inventory_change ic
        where ic.org_id = ${orgId} and ic.app_id = ${appId} and ${isSighting('ic')}
        order by ic.at desc limit 1
      )
      insert into inventory_change (org_id, app_id, kind, source_id, started_at, at, not_before, seen_until, gone_by)
      select ${orgId}, ${appId}, ${kind}, ${sessionId}, ${startedAt},
        greatest(${now}, newest.at + interval '1 microsecond'), last.started_at, last.at,
        greatest(${startedAt}, last.at)
      from newest left join last on true
      returning id`.execute(tx),
  );
}

export async function insertRemoval(tx: OrgTx, sessionId: string): Promise<string> {
  const now = await timeToInsert(tx);
  return idOf(
    await sql<{ id: string }>`
      insert into inventory_change (org_id, app_id, kind, source_id, at, not_before, seen_until, gone_by)
      select org_id, app_id, 'removal', source_id,
        greatest(${now}, at + interval '1 microsecond'), not_before, seen_until, gone_by
      from inventory_change
      where org_id = ${tx.orgId} and source_id = ${sessionId} and kind = 'sync'
      returning id`.execute(tx),
  );
}

export const setCompleted = (tx: OrgTx, sessionId: string) => run(tx)`
    update inventory_change set completed_at = greatest(clock_now(), at)
    where org_id = ${tx.orgId} and source_id = ${sessionId} and kind = 'sync'`;
