import type { OrgTx } from '#kit/database.ts';
import { one, run } from '#kit/sql.ts';

/** Makes `tx` read one state of the database. Call it first. */
export const readOneState = (tx: OrgTx) => run(tx)`set transaction isolation level repeatable read`;

/** Returns the number of pages that a session holds, and the newest of them: the plan depends on both. */
export async function pagesOf(tx: OrgTx, sessionId: string): Promise<{ count: number; last: number }> {
  return (await one<{ count: number; last: number }>(tx)`
    select count(*) as count, coalesce(max(number), 0) as last from sync_page
    where org_id = ${tx.orgId} and session_id = ${sessionId}`) as { count: number; last: number };
}
