import { sql } from 'kysely';
import type { ApprovalStep } from '../../apps/admin.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import { seatsOf, stepIsComplete } from './approvers.ts';

/** Returns the eligible people whom the current step names. */
export async function namedApprovers(tx: Tx, orgId: string, ticketId: string): Promise<string[]> {
  const { rows } = await sql<{ seat: string }>`
    select distinct place.seat from ticket t cross join lateral ${seatsOf(orgId, 't')} as place
    where t.org_id = ${orgId} and t.id = ${ticketId} and place.rank = 1 order by 1`.execute(tx);
  return rows.map(({ seat }) => seat);
}

export async function peopleWhoMightDecide(
  db: Db,
  orgId: string,
  ids: string[],
): Promise<{ id: string; email: string; status: string; role: string }[]> {
  const { rows } = await sql<{ id: string; email: string; status: string; role: string }>`
    select id, email, status, role from platform_user
    where org_id = ${orgId} and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Replaces the steps. The wait for a decision begins again, and with it the time until the step is escalated. */
export async function setApprovers(
  tx: Tx,
  orgId: string,
  ticketId: string,
  steps: ApprovalStep[],
  added: string[],
): Promise<void> {
  await sql`
    update ticket set steps = ${JSON.stringify(steps)}::jsonb, named = named || ${added}::uuid[],
      reassigned_at = clock_now(), escalation_step = null, escalation_level = null, escalated_at = null,
      paused_step = null, paused_seconds = null
    where org_id = ${orgId} and id = ${ticketId}`.execute(tx);
}

export async function isStepComplete(tx: Tx, orgId: string, ticketId: string): Promise<boolean> {
  const { rows } = await sql`
    select from ticket t
    where t.org_id = ${orgId} and t.id = ${ticketId} and ${stepIsComplete(orgId, 't')}`.execute(tx);
  return rows.length > 0;
}
