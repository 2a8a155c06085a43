import type { OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import { many, sql } from '#kit/sql.ts';
import type { Ticket } from '../ticket.ts';
import type { ApproverRank } from '../ticket-schemas.ts';
import { approversOf, excludedOf } from './approvers.ts';
import type { TicketRow } from './write.ts';

/** Somebody who could decide a step, or whom it excludes. */
export interface StepPerson {
  user: Ticket['user'];
  /** Null: excluded. */
  via: ApproverRank | null;
  /** The person in whose place. */
  seat: string | null;
  because: 'concerned' | 'counts_already' | 'has_another_seat' | null;
}

/** No ticket has this id. It is not null because Citus cannot plan a join with null. */
const NO_TICKET = '00000000-0000-0000-0000-000000000000';

export type FutureTicket = Pick<
  TicketRow,
  'app_id' | 'user_id' | 'requester_id' | 'created_by' | 'steps' | 'fallback_approvers'
>;

/**
 * Returns who could decide a step of a ticket with this row now, by the rules of existing tickets, and whom it excludes. `spoken` are
 * the people who count for an earlier step.
 */
export const peopleOfStep = (db: OrgDb, row: FutureTicket, step: number, spoken: readonly string[]) => {
  const counted = sql`${[...spoken]}::uuid[]`;
  return many<StepPerson>(db)`
    with t as (
      select ${NO_TICKET}::uuid as id, 'PENDING' as status, app.id as app_id, ${row.user_id}::uuid as user_id,
        ${row.requester_id}::uuid as requester_id, ${row.created_by}::uuid as created_by,
        ${JSON.stringify(row.steps)}::jsonb as steps, ${row.fallback_approvers}::uuid[] as fallback_approvers,
        ${step}::integer as step, null::integer as escalation_step, null::integer as escalation_level,
        null::timestamptz as reassigned_at
      from app where app.org_id = ${db.orgId} and app.id = ${row.app_id}
    ), found as (
      select w.user_id, w.via, w.seat, null::text as because from t cross join lateral ${approversOf(db, 't', counted)} as w
      union all
      select x.user_id, null, null, x.because from t cross join lateral ${excludedOf(db, 't', counted)} as x
    )
    select ${namedPersonJson('d')} as "user", found.via, found.seat, found.because
    from found join platform_user d on d.org_id = ${db.orgId} and d.id = found.user_id
    order by d.email, d.id`;
};
