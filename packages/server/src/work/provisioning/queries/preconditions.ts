import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { many, run, sql } from '#kit/sql.ts';
import { isKept, PRECONDITIONS, type PreconditionKind } from './preconditions/index.ts';

/** Marks the removals of these tasks that no_grant forbids as spared. */
export const spareRemovals = (tx: OrgTx, taskIds: string[]) => run(tx)`
    update task_change c set spared = true
    from task t
    where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[]) and t.preconditions @> '[{"kind": "no_grant"}]'
      and c.org_id = ${tx.orgId} and c.task_id = t.id and not c.added and not c.spared and ${isKept(tx)}`;

const cases = (org: Org) =>
  sql.join(
    Object.entries(PRECONDITIONS).map(
      ([kind, { holds }]) => sql`when ${sql.lit(kind)} then ${holds(org.orgId)}`,
    ),
    sql` `,
  );

/** Returns the tasks with a precondition that does not hold, or one of these kinds, and its kind. */
export async function unmetPreconditions(
  db: OrgDb,
  taskIds: string[],
  only: readonly PreconditionKind[] | null = null,
): Promise<Map<string, PreconditionKind>> {
  if (taskIds.length === 0) return new Map();
  const rows = await many<{ id: string; kind: PreconditionKind }>(db)`
    select t.id, p.value ->> 'kind' as kind
    from task t cross join lateral jsonb_array_elements(t.preconditions) p
    where t.org_id = ${db.orgId} and t.id = any(${taskIds}::uuid[])
      and (${only}::text[] is null or p.value ->> 'kind' = any(${only}::text[]))
      and not case p.value ->> 'kind' ${cases(db)} end`;
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}
