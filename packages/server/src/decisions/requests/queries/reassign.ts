import { sql } from 'kysely';
import type { ApprovalStep } from '../../../inventory/apps/app.ts';
import type { OrgDb, OrgTx } from '../../../kit/database/organization.ts';
import { seatsOf, stepIsComplete } from './approvers.ts';

/** Returns the eligible people whom the current step names. */
export async function namedApprovers(tx: OrgTx, ticketId: string): Promise<string[]> {
  const { rows } = await sql<{ seat: string }>`
    select distinct place.seat from ticket t cross join lateral ${seatsOf(tx, 't')} as place
    where t.org_id = ${tx.orgId} and t.id = ${ticketId} and place.rank = 1 order by 1`.execute(tx);
  return rows.map(({ seat }) => seat);
}

export async function peopleWhoMightDecide(
  db: OrgDb,
  ids: string[],
): Promise<{ id: string; email: string; status: string; role: string }[]> {
  const { rows } = await sql<{ id: string; email: string; status: string; role: string }>`
    select id, email, status, role from platform_user
    where org_id = ${db.orgId} and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Replaces the steps. The wait for a decision begins again, and with it the time until the step is escalated. */
export async function setApprovers(
  tx: OrgTx,
  ticketId: string,
  steps: ApprovalStep[],
  added: string[],
): Promise<void> {
  await sql`
    update ticket set steps = ${JSON.stringify(steps)}::jsonb, named = named || ${added}::uuid[],
      reassigned_at = clock_now(), escalation_step = null, escalation_level = null, escalated_at = null,
      paused_step = null, paused_seconds = null
    where org_id = ${tx.orgId} and id = ${ticketId}`.execute(tx);
}

export async function isStepComplete(tx: OrgTx, ticketId: string): Promise<boolean> {
  const { rows } = await sql`
    select from ticket t
    where t.org_id = ${tx.orgId} and t.id = ${ticketId} and ${stepIsComplete(tx, 't')}`.execute(tx);
  return rows.length > 0;
}
