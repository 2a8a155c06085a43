import type { ApprovalStep } from '#inventory/apps/app.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import { run, values } from '#kit/sql.ts';
import { namedBy } from './approvers.ts';

/** Returns the people whom the current step names. */
export const namedApprovers = (db: OrgDb, ticketId: string) => values<string>(db)`
    select distinct named.id from ticket t cross join lateral (${namedBy(db, 't')}) as named (id)
    where t.org_id = ${db.orgId} and t.id = ${ticketId} and named.id is not null order by 1`;

/** Replaces the steps. The wait for a decision begins again, and with it the time until the step is escalated. */
export const setApprovers = (tx: OrgTx, ticketId: string, steps: ApprovalStep[], added: string[]) => run(tx)`
    update ticket set steps = ${JSON.stringify(steps)}::jsonb, named = named || ${added}::uuid[],
      reassigned_at = clock_now(), escalation_step = null, escalation_level = null, escalated_at = null,
      paused_step = null, paused_seconds = null
    where org_id = ${tx.orgId} and id = ${ticketId}`;

/** Replaces steps that the ticket has not come to. */
export const setLaterApprovers = (tx: OrgTx, ticketId: string, steps: ApprovalStep[], added: string[]) => run(
  tx,
)`
    update ticket set steps = ${JSON.stringify(steps)}::jsonb, named = named || ${added}::uuid[]
    where org_id = ${tx.orgId} and id = ${ticketId}`;

/** Returns the pending tickets of which the current or a later step names a person by id. */
export const pendingNaming = (db: OrgDb, personId: string) => values<string>(db)`
    select t.id from ticket t
    where t.org_id = ${db.orgId} and t.status = 'PENDING' and t.named @> array[${personId}::uuid]
      and exists (
        select from jsonb_array_elements(t.steps) with ordinality as s (step, n)
        where s.n > t.step and jsonb_typeof(s.step -> 'approvers') = 'array' and s.step -> 'approvers' @> to_jsonb(${personId}::text))
    order by t.id`;
