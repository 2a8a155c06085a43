import { standIns } from '#directory/people/deputy-facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { exists, many, type RawBuilder, sql } from '#kit/sql.ts';
import { approversOf } from './queries/approvers.ts';

/** Ids of the tickets that await this person's decision. */
export const awaitingDecisionBy = (org: Org, userId: string) => sql`
  select w.id from ticket w
  where w.org_id = ${org.orgId} and w.status = 'PENDING'
    and exists (select from ${approversOf(org, 'w')} as approver where approver.user_id = ${userId})`;

/**
 * Ids of the tickets that a member may see (protocol 16): tickets for them, by them, or that they can decide at any
 * step, even after others have decided them. People who stand in for others see the tickets that they can decide now.
 * `among`: a condition on ticket w.
 */
export const visibleTo = (org: Org, userId: string, among: RawBuilder<unknown>) => sql`
  select w.id from ticket w where ${among} and w.user_id = ${userId}
  union all select w.id from ticket w where ${among} and w.requester_id = ${userId}
  union all select w.id from ticket w where ${among} and w.named @> array[${userId}]::uuid[]
  union all select w.id from ticket w
    join platform_user u on u.org_id = w.org_id and u.id = w.user_id and u.manager_id = ${userId}
    where ${among} and w.steps @> '[{"approvers": "manager"}]'
  union all select w.id from ticket w
    join app a on a.org_id = w.org_id and a.id = w.app_id and a.owner_id = ${userId}
    where ${among} and w.steps @> '[{"approvers": "app_owner"}]'
  union all select w.id from ticket w
    join ticket_approval v on v.org_id = w.org_id and v.ticket_id = w.id and v.approver_id = ${userId}
    where ${among}
  union all select w.id from ticket w
    where ${among} and w.status = 'PENDING'
      and exists (select from ${standIns(org)} as away where away.deputy_id = ${userId})
      and exists (select from ${approversOf(org, 'w')} as approver where approver.user_id = ${userId})
  union all select w.id from ticket w
    where ${among} and w.status = 'PENDING' and w.escalation_level is not null
      and exists (select from ${approversOf(org, 'w')} as approver where approver.user_id = ${userId})`;

/** Returns those of the tickets that a member may see. */
export async function ticketsVisibleTo(
  db: OrgDb,
  ticketIds: readonly string[],
  userId: string,
): Promise<Set<string>> {
  const rows = await many<{ id: string }>(db)`
    ${visibleTo(db, userId, sql`w.org_id = ${db.orgId} and w.id = any(${ticketIds}::uuid[])`)}`;
  return new Set(rows.map(({ id }) => id));
}

/** Whether a member may see the ticket. */
export const isVisibleTo = (db: OrgDb, ticketId: string, userId: string) => exists(db)`
    ${visibleTo(db, userId, sql`w.org_id = ${db.orgId} and w.id = ${ticketId}`)} limit 1`;
