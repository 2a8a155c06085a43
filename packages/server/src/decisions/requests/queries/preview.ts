import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import type { ApproverRank } from '../ticket-schemas.ts';
import { approversOf } from './approvers.ts';
import type { TicketRow } from './write.ts';

export interface StepApprover {
  /** The index of the step; the first is 0. */
  step: number;
  external_uuid: string;
  email: string;
  first_name: string;
  last_name: string;
  via: ApproverRank;
}

/** No ticket has this id. It is not null because Citus cannot plan a join with null. */
const NO_TICKET = '00000000-0000-0000-0000-000000000000';

/** Returns who could decide each step of a ticket with this row now, by the rules of existing tickets. */
export async function approversOfSteps(
  db: OrgDb,
  row: Pick<TicketRow, 'app_id' | 'user_id' | 'requester_id' | 'created_by' | 'steps' | 'fallback_approvers'>,
): Promise<StepApprover[]> {
  const steps = JSON.stringify(row.steps);
  return many<StepApprover>(db)`
    select t.step, d.id as external_uuid, d.email, d.first_name, d.last_name, w.via
    from (
      select ${NO_TICKET}::uuid as id, 'PENDING' as status, app.id as app_id, ${row.user_id}::uuid as user_id,
        ${row.requester_id}::uuid as requester_id, ${row.created_by}::uuid as created_by, ${steps}::jsonb as steps,
        ${row.fallback_approvers}::uuid[] as fallback_approvers, (given.number - 1)::integer as step,
        null::integer as escalation_step, null::integer as escalation_level
      from app cross join jsonb_array_elements(${steps}::jsonb) with ordinality as given (settings, number)
      where app.org_id = ${db.orgId} and app.id = ${row.app_id}
    ) as t
    cross join lateral ${approversOf(db, 't')} as w
    join platform_user d on d.org_id = ${db.orgId} and d.id = w.user_id
    order by t.step, d.email, d.id`;
}
