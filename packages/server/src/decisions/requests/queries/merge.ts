import { sql } from 'kysely';
import type { OrgTx } from '../../../kit/database/organization.ts';

/** Returns the pending tickets of either person that either of them approved. */
export async function selfApproved(tx: OrgTx, fromId: string, intoId: string): Promise<string[]> {
  const both = [fromId, intoId];
  const { rows } = await sql<{ id: string }>`
    select t.id from ticket t
    where t.org_id = ${tx.orgId} and t.status = 'PENDING'
      and (t.user_id = any(${both}::uuid[]) or t.requester_id = any(${both}::uuid[]) or t.created_by = any(${both}::uuid[]))
      and exists (
        select from ticket_approval made
        where made.org_id = ${tx.orgId} and made.ticket_id = t.id and made.approver_id = any(${both}::uuid[]))`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Replaces a person in the pending tickets that name them. Returns the number of tickets. */
export async function moveTickets(tx: OrgTx, fromId: string, intoId: string): Promise<number> {
  const { rows: pending } = await sql<{ id: string }>`
    select id from ticket
    where org_id = ${tx.orgId} and status = 'PENDING'
      and (user_id = ${fromId} or requester_id = ${fromId} or created_by = ${fromId} or named @> array[${fromId}::uuid])
    order by id for no key update`.execute(tx);
  if (pending.length === 0) return 0;
  const moved = (column: string) =>
    sql`case when ${sql.ref(column)} = ${fromId}::uuid then ${intoId}::uuid else ${sql.ref(column)} end`;
  await sql`
    update ticket set user_id = ${moved('user_id')}, requester_id = ${moved('requester_id')},
      created_by = ${moved('created_by')}, steps = replace(steps::text, ${fromId}, ${intoId})::jsonb,
      fallback_approvers = array_replace(fallback_approvers, ${fromId}::uuid, ${intoId}::uuid),
      named = array_replace(named, ${fromId}::uuid, ${intoId}::uuid)
    where org_id = ${tx.orgId} and id = any(${pending.map(({ id }) => id)}::uuid[])`.execute(tx);
  return pending.length;
}

/** Moves the requests about duplicates to the accounts that they are merged into. */
export async function moveToAccounts(
  tx: OrgTx,
  merges: readonly { account_id: string; duplicate_id: string }[],
): Promise<void> {
  await sql`
    update ticket t set account_id = m.account_id
    from unnest(${merges.map((one) => one.account_id)}::uuid[], ${merges.map((one) => one.duplicate_id)}::uuid[])
      as m (account_id, duplicate_id)
    where t.org_id = ${tx.orgId} and t.account_id = m.duplicate_id`.execute(tx);
}
