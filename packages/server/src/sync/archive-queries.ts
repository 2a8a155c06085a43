import { sql } from 'kysely';
import type { Tx } from '../platform/database/open.ts';
import type { SessionStatus } from './queries.ts';

/** The sessions of an app that have not ended, oldest first, kept as they are until this transaction ends. */
export async function lockUnfinished(
  tx: Tx,
  orgId: string,
  appId: string,
): Promise<{ id: string; status: SessionStatus; published: boolean }[]> {
  const { rows } = await sql<{ id: string; status: SessionStatus; published: boolean }>`
    select id, status, published_at is not null as published from sync_session
    where org_id = ${orgId} and app_id = ${appId} and status in ('in_progress', 'completing')
    order by started_at, id for update`.execute(tx);
  return rows;
}
