import { becameOwn } from '#inventory/records/history/link-facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql, values } from '#kit/sql.ts';

/**
 * The person whose approval made a ticket create its tasks: the last one to approve it. Null if nobody had to. `ticketId`
 * is an SQL expression.
 */
export const approverOf = (org: Org, ticketId: RawBuilder<unknown>): RawBuilder<string | null> => sql<
  string | null
>`(
  select v.approver_id from ticket_approval v
  where v.org_id = ${org.orgId} and v.ticket_id = ${ticketId} and v.decision = 'approved'
  order by v.decided_at desc, v.approver_id limit 1)`;

/** Whether an approver of ticket `t` is one of its people since a merge, or has its account since the approval (D76). */
export const isOwnAfterwards = (org: Org): RawBuilder<boolean> => sql`exists (
  select from ticket_approval v join platform_user by on by.org_id = ${org.orgId} and by.id = v.approver_id
  where v.org_id = ${org.orgId} and v.ticket_id = t.id and v.decision = 'approved'
    and (exists (
        select from platform_user c
        where c.org_id = ${org.orgId} and c.id in (t.user_id, t.requester_id, t.created_by) and (c.id = by.merged_into or c.merged_into = by.id))
      or ${becameOwn(org, sql`coalesce(t.account_id, t.reserved_account_id)`, { person: sql`v.approver_id`, at: sql`v.decided_at` })}))`;

/** Returns the accounts of approved requests that one of these people made, filed or benefits from. */
export const accountsOfRequests = (db: OrgDb, people: readonly string[]) => values<string>(db)`
    select coalesce(t.account_id, t.reserved_account_id) as id from ticket t
    where t.org_id = ${db.orgId} and t.status = 'APPROVED' and (t.user_id = any(${people}::uuid[])
      or t.requester_id = any(${people}::uuid[]) or t.created_by = any(${people}::uuid[]))`;
