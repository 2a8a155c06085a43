import type { ApprovalStep } from '#inventory/apps/app.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import { exists, many, run, values } from '#kit/sql.ts';
import { seatsOf, stepIsComplete } from './approvers.ts';

/** Returns the eligible people whom the current step names. */
export const namedApprovers = (tx: OrgTx, ticketId: string) => values<string>(tx)`
    select distinct place.seat from ticket t cross join lateral ${seatsOf(tx, 't')} as place
    where t.org_id = ${tx.orgId} and t.id = ${ticketId} and place.rank = 1 order by 1`;

export const peopleWhoMightDecide = (db: OrgDb, ids: string[]) => many<{
  id: string;
  email: string;
  status: string;
  role: string;
}>(db)`
    select id, email, status, role from platform_user
    where org_id = ${db.orgId} and id = any(${ids}::uuid[])`;

/** Replaces the steps. The wait for a decision begins again, and with it the time until the step is escalated. */
export const setApprovers = (tx: OrgTx, ticketId: string, steps: ApprovalStep[], added: string[]) => run(tx)`
    update ticket set steps = ${JSON.stringify(steps)}::jsonb, named = named || ${added}::uuid[],
      reassigned_at = clock_now(), escalation_step = null, escalation_level = null, escalated_at = null,
      paused_step = null, paused_seconds = null
    where org_id = ${tx.orgId} and id = ${ticketId}`;

export const isStepComplete = (tx: OrgTx, ticketId: string) => exists(tx)`
    select from ticket t
    where t.org_id = ${tx.orgId} and t.id = ${ticketId} and ${stepIsComplete(tx, 't')}`;
