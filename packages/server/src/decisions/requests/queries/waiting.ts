import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import { approversOf } from './approvers.ts';

/** A person who may decide now. */
export interface Awaited {
  userId: string;
  /** The absent person for whom they decide. Null: in their own place. */
  onBehalfOf: string | null;
}

export const approversWaitedFor = (db: OrgDb, ticketIds: readonly string[]) => many<
  Awaited & { ticketId: string }
>(db)`
    select t.id as "ticketId", w.user_id as "userId", w.on_behalf_of as "onBehalfOf"
    from ticket t cross join lateral ${approversOf(db, 't')} as w
    where t.org_id = ${db.orgId} and t.id = any(${ticketIds}::uuid[])
    order by t.id, w.user_id`;
