import { sql } from 'kysely';
import type { OrgTx } from '../../../kit/database/organization.ts';
import type { TaskPlace } from './find.ts';

const names = (userId: string, kind?: string) =>
  sql`preconditions @> ${JSON.stringify([{ ...(kind === undefined ? {} : { kind }), user_id: userId }])}::jsonb`;

/** Returns the open tasks that run only while this person is not active, and that no connector has taken on. */
export async function tasksAwaitingLeave(tx: OrgTx, userId: string): Promise<TaskPlace[]> {
  const { rows } = await sql<TaskPlace>`
    select id, app_id, account_id from task
    where org_id = ${tx.orgId} and status in ('scheduled', 'pending') and dispatched_at is null
      and ${names(userId, 'user_inactive')}
    order by number`.execute(tx);
  return rows;
}

/** Replaces a person in the preconditions of open tasks. Returns the number of tasks. */
export async function moveConditions(tx: OrgTx, fromId: string, intoId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update task set preconditions = replace(preconditions::text, ${fromId}, ${intoId})::jsonb
    where org_id = ${tx.orgId} and status in ('scheduled', 'pending') and ${names(fromId)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
