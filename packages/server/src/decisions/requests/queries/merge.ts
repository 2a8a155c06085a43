import type { OrgTx } from '#kit/database.ts';
import { values } from '#kit/sql.ts';

/** Returns the pending tickets of either person that either of them approved. */
export async function selfApproved(tx: OrgTx, fromId: string, intoId: string): Promise<string[]> {
  const both = [fromId, intoId];
  return values<string>(tx)`
    select t.id from ticket t
    where t.org_id = ${tx.orgId} and t.status = 'PENDING'
      and (t.user_id = any(${both}::uuid[]) or t.requester_id = any(${both}::uuid[]) or t.created_by = any(${both}::uuid[]))
      and exists (
        select from ticket_approval made
        where made.org_id = ${tx.orgId} and made.ticket_id = t.id and made.approver_id = any(${both}::uuid[]))`;
}
