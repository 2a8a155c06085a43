import { sql } from 'kysely';
import type { OrgTx } from '../../../kit/database/organization.ts';
import type { HeldFiring } from '../hold.ts';

export async function addFirings(tx: OrgTx, policyId: string, firings: readonly HeldFiring[]): Promise<void> {
  await sql`
    insert into hold_firing (org_id, hold_id, policy_id, subject, tasks)
    select ${tx.orgId}::uuid, g.hold_id, ${policyId}::uuid, g.subject, g.tasks
    from unnest(${firings.map(({ holdId }) => holdId)}::uuid[], ${firings.map(({ subject }) => subject)}::uuid[],
      ${firings.map(({ tasks }) => tasks)}::integer[]) as g (hold_id, subject, tasks)
    on conflict (org_id, hold_id, policy_id, subject) do update set tasks = excluded.tasks`.execute(tx);
}

export async function takeFirings(
  tx: OrgTx,
  holdId: string,
): Promise<{ policy_id: string; subject: string; tasks: number }[]> {
  const { rows } = await sql<{ policy_id: string; subject: string; tasks: number }>`
    delete from hold_firing where org_id = ${tx.orgId} and hold_id = ${holdId}
    returning policy_id, subject, tasks`.execute(tx);
  return rows;
}

/** Returns the people of a hold who are not back. */
export async function peopleOf(tx: OrgTx, holdId: string): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from hold_change where org_id = ${tx.orgId} and window_id = ${holdId}`.execute(tx);
  return new Set(rows.map(({ user_id }) => user_id));
}

export async function forgetFirings(tx: OrgTx, policyId: string): Promise<void> {
  await sql`delete from hold_firing where org_id = ${tx.orgId} and policy_id = ${policyId}`.execute(tx);
}

export async function settle(tx: OrgTx, holdId: string): Promise<void> {
  await sql`
    update hold_window set settled_at = clock_now() where org_id = ${tx.orgId} and id = ${holdId}`.execute(
    tx,
  );
}
