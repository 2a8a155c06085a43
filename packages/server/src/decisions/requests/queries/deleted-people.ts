import { sql } from 'kysely';
import type { OrgTx } from '../../../kit/database/organization.ts';

/**
 * Whether comments or decisions name these people. Foreign keys protect the other references, and an approver who asked for
 * information has written a comment.
 */
export async function areNamed(tx: OrgTx, people: string[]): Promise<boolean> {
  const { rows } = await sql`
    select from ticket_comment where org_id = ${tx.orgId} and author_id = any(${people}::uuid[])
    union all
    select from ticket_approval where org_id = ${tx.orgId} and on_behalf_of && ${people}::uuid[]
    limit 1`.execute(tx);
  return rows.length > 0;
}
