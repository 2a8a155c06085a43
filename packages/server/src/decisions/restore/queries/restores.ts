import type { OrgDb, OrgTx } from '#kit/database.ts';
import { one, run, value } from '#kit/sql.ts';
import type { PlannedTask } from '../schemas.ts';

export interface Restore {
  id: string;
  input: unknown;
  tasks: PlannedTask[];
  applied_at: Date | null;
}

/** Stores a plan, and deletes those that nobody has applied for a week. */
export async function insertRestore(
  tx: OrgTx,
  { input, tasks, by, applied }: { input: unknown; tasks: PlannedTask[]; by: string; applied: boolean },
): Promise<string> {
  await run(tx)`
    delete from access_restore
    where org_id = ${tx.orgId} and applied_at is null and created_at < now() - interval '7 days'`;
  return value<string>(tx)`
    insert into access_restore (org_id, created_by, input, tasks, applied_at)
    values (${tx.orgId}, ${by}, ${JSON.stringify(input)}::jsonb, ${JSON.stringify(tasks)}::jsonb,
      case when ${applied} then clock_now() end)
    returning id`;
}

export const lockRestore = (tx: OrgDb, id: string) => one<Restore>(tx)`
    select id, input, tasks, applied_at from access_restore
    where org_id = ${tx.orgId} and id = ${id} for update`;

export const markApplied = (tx: OrgTx, id: string) => run(tx)`
    update access_restore set applied_at = clock_now() where org_id = ${tx.orgId} and id = ${id}`;
