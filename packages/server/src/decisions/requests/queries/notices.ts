import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';

export interface TicketFacts {
  id: string;
  label: string;
  status: string;
  /** Whether an approver has asked for information that nobody has given yet. */
  lacks_information: boolean;
  /** The index of the step; the first is 0. */
  step: number;
  requester_id: string;
  user_id: string;
  app_id: string;
  app_name: string;
}

const ticketView = sql`
  t.id, t.label, t.status, t.information_requested is not null as lacks_information, t.step, t.requester_id, t.user_id, t.app_id, p.name as app_name`;

export async function findTickets(db: OrgDb, ids: readonly string[]): Promise<Map<string, TicketFacts>> {
  const rows = await many<TicketFacts>(db)`
    select ${ticketView} from ticket t join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where t.org_id = ${db.orgId} and t.id = any(${ids}::uuid[])`;
  return new Map(rows.map((ticket) => [ticket.id, ticket]));
}

export const findTicket = async (db: OrgDb, id: string): Promise<TicketFacts | undefined> =>
  (await findTickets(db, [id])).get(id);

export interface PendingTicket extends TicketFacts {
  number: number;
  waiting_days: number;
}

/** Returns pending tickets after a number, in order. */
export const pendingTickets = (db: OrgDb, after: number, limit: number) => many<PendingTicket>(db)`
    select ${ticketView}, t.number,
      floor(extract(epoch from clock_now() - coalesce((
        select max(v.decided_at) from ticket_approval v where v.org_id = ${db.orgId} and v.ticket_id = t.id
      ), t.created_at)) / 86400)::integer as waiting_days
    from ticket t join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where t.org_id = ${db.orgId} and t.status = 'PENDING' and t.number > ${after}
    order by t.number limit ${limit}`;

export interface ExpiringTicket extends TicketFacts {
  number: number;
  expires_at: Date;
}

/** Returns the pending tickets after a number that expire within `days`, and were not created this short before. */
export const expiringTickets = (
  db: OrgDb,
  { expiryDays, days }: { expiryDays: number; days: number },
  after: number,
  limit: number,
) => many<ExpiringTicket>(db)`
    select * from (
      select ${ticketView}, t.created_at, t.number,
        least(t.created_at + ${expiryDays}::integer * interval '24 hours', t.end_time) as expires_at
      from ticket t join app p on p.org_id = ${db.orgId} and p.id = t.app_id
      where t.org_id = ${db.orgId} and t.status = 'PENDING' and t.number > ${after}) pending
    where expires_at > clock_now() and expires_at < clock_now() + ${days}::integer * interval '24 hours'
      and expires_at > created_at + ${days + 1}::integer * interval '24 hours'
    order by number limit ${limit}`;

/** Returns the tickets of tasks that grant access, by task. Tasks that do not belong to one, or end the access, have none. */
export async function ticketsGrantedBy(
  db: OrgDb,
  taskIds: readonly string[],
): Promise<Map<string, TicketFacts>> {
  const rows = await many<TicketFacts & { task_id: string }>(db)`
    select k.id as task_id, ${ticketView}
    from ${tasks} k
    join ticket t on t.org_id = ${db.orgId} and t.id = k.source_id
    join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where k.org_id = ${db.orgId} and k.id = any(${taskIds}::uuid[]) and k.source_type = 'ticket'
      and k.action <> 'delete_account'
      and not exists (
        select from task_change c where c.org_id = ${db.orgId} and c.task_id = k.id and not c.added)`;
  return new Map(rows.map(({ task_id, ...ticket }) => [task_id, ticket]));
}

export interface AccessEnd {
  ticket_id: string;
  app_id: string;
  app_name: string;
  user_id: string;
  requester_id: string;
  ends_at: Date;
}

/**
 * Returns the ends of temporary access within `days`. Short access is announced when a quarter of it is left.
 */
export const accessEnds = (db: OrgDb, days: number) => many<AccessEnd>(db)`
    select distinct t.id as ticket_id, t.app_id, p.name as app_name, t.user_id, t.requester_id, k.execute_after as ends_at
    from ${tasks} k
    join ticket t on t.org_id = ${db.orgId} and t.id = k.source_id
    join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where k.org_id = ${db.orgId} and k.source_type = 'ticket' and k.status = 'scheduled'
      and k.execute_after > clock_now() and k.execute_after < clock_now() + ${days}::integer * interval '24 hours'
      and k.execute_after - clock_now() < (k.execute_after - k.created_at) / 4
      and (k.action = 'delete_account' or exists (
        select from task_change c where c.org_id = ${db.orgId} and c.task_id = k.id and not c.added))`;
