import type { OrgTx } from '#kit/database.ts';
import { many, run } from '#kit/sql.ts';
import type { HeldFiring } from '../hold.ts';

export const addFirings = (tx: OrgTx, policyId: string, firings: readonly HeldFiring[]) => run(tx)`
    insert into hold_firing (org_id, hold_id, policy_id, subject, tasks)
    select ${tx.orgId}::uuid, g.hold_id, ${policyId}::uuid, g.subject, g.tasks
    from unnest(${firings.map(({ holdId }) => holdId)}::uuid[], ${firings.map(({ subject }) => subject)}::uuid[],
      ${firings.map(({ tasks }) => tasks)}::integer[]) as g (hold_id, subject, tasks)
    on conflict (org_id, hold_id, policy_id, subject) do update set tasks = excluded.tasks`;

export const takeFirings = (tx: OrgTx, holdId: string) => many<{
  policy_id: string;
  subject: string;
  tasks: number;
}>(tx)`
    delete from hold_firing where org_id = ${tx.orgId} and hold_id = ${holdId}
    returning policy_id, subject, tasks`;

/** Returns the people of a hold who are not back. */
export async function peopleOf(tx: OrgTx, holdId: string): Promise<Set<string>> {
  const rows = await many<{ user_id: string }>(tx)`
    select user_id from hold_change where org_id = ${tx.orgId} and window_id = ${holdId}`;
  return new Set(rows.map(({ user_id }) => user_id));
}

export const forgetFirings = (tx: OrgTx, policyId: string) =>
  run(tx)`delete from hold_firing where org_id = ${tx.orgId} and policy_id = ${policyId}`;

export const settle = (tx: OrgTx, holdId: string) => run(tx)`
    update hold_window set settled_at = clock_now() where org_id = ${tx.orgId} and id = ${holdId}`;
