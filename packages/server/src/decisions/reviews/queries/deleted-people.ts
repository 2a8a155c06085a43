import { sql } from 'kysely';
import type { OrgTx } from '../../../kit/database/organization.ts';

/** Whether decided items name these people other than as reviewers: decided for them, or escalated to them. */
export async function areNamed(tx: OrgTx, people: string[]): Promise<boolean> {
  const { rows } = await sql`
    select from review_item where org_id = ${tx.orgId} and on_behalf_of && ${people}::uuid[]
    union all
    select from review_item
    where org_id = ${tx.orgId} and escalated_to && ${people}::uuid[] and decision is not null
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Removes these people from the undecided items that were escalated to them. */
export async function removeEscalations(tx: OrgTx, people: string[]): Promise<void> {
  await sql`
    update review_item i set escalated_to = nullif(array(
      select given.id from unnest(i.escalated_to) with ordinality as given (id, n)
      where not given.id = any(${people}::uuid[]) order by given.n), '{}'::uuid[])
    where i.org_id = ${tx.orgId} and i.escalated_to && ${people}::uuid[] and i.decision is null`.execute(tx);
}
