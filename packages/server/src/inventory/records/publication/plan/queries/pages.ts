import { sql } from 'kysely';
import type { Tx } from '../../../../../kit/database/open.ts';
import type { OrgTx } from '../../../../../kit/database/organization.ts';

/** Makes `tx` read one state of the database. Call it first. */
export async function readOneState(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(tx);
}

/** Returns the number of pages that a session holds, and the newest of them: the plan depends on both. */
export async function pagesOf(tx: OrgTx, sessionId: string): Promise<{ count: number; last: number }> {
  const { rows } = await sql<{ count: number; last: number }>`
    select count(*) as count, coalesce(max(number), 0) as last from sync_page
    where org_id = ${tx.orgId} and session_id = ${sessionId}`.execute(tx);
  return rows[0] as { count: number; last: number };
}
