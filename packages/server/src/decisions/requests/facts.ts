import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

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
