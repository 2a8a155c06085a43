import { type Db, everywhere, type Org, type OrgDb, type OrgTx } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { many, run, sql, values } from '#kit/sql.ts';

/**
 * When the current step of ticket `t` began to wait: when the last one was decided, or when it was handed to other
 * approvers. The time during which an approver waited for an answer is added.
 */
const waitingSince = (org: Org) => sql`
  seconds_after(
    greatest(t.created_at, t.reassigned_at, (
      select max(made.decided_at) from ticket_approval made
      where made.org_id = ${org.orgId} and made.ticket_id = t.id and made.step < t.step)),
    case when t.paused_step = t.step then coalesce(t.paused_seconds, 0) else 0 end)`;

const level = sql`case when t.escalation_step = t.step then t.escalation_level else 0 end`;

/** Returns the organizations with pending tickets of apps that escalate. */
export const organizationsThatEscalate = (db: Db) => values<string>(everywhere(db))`
    select distinct p.org_id from app p
    join ticket t on t.org_id = p.org_id and t.app_id = p.id and t.status = 'PENDING'
    where p.escalate_after_working_days is not null and ${isActiveOrganization('p.org_id')}`;

/** A ticket that has waited long enough for the next level. */
export interface Overdue {
  id: string;
  level: 1 | 2;
}

/** Returns overdue tickets. `only` restricts the search to one ticket. */
export const overdueTickets = (db: OrgDb, only: string | null = null) => many<Overdue>(db)`
    select due.id, due.level from (
      select t.id, t.number, ${level} as reached,
        case when after_working_days(${waitingSince(db)}, 2 * p.escalate_after_working_days) <= now() then 2
          when after_working_days(${waitingSince(db)}, p.escalate_after_working_days) <= now() then 1
          else 0 end as level
      from ticket t join app p on p.org_id = ${db.orgId} and p.id = t.app_id
      where t.org_id = ${db.orgId} and t.status = 'PENDING' and t.information_requested is null
        and p.escalate_after_working_days is not null and (${only}::uuid is null or t.id = ${only}::uuid)
        and ${level} < 2
    ) due
    where due.level > due.reached order by due.number`;

export const setEscalated = (tx: OrgTx, ticketId: string, reached: 1 | 2) => run(tx)`
    update ticket set escalation_step = step, escalation_level = ${reached}, escalated_at = clock_now()
    where org_id = ${tx.orgId} and id = ${ticketId}`;
