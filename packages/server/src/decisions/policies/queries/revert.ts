import type { OrgTx } from '#kit/database.ts';
import { many, type RawBuilder } from '#kit/sql.ts';
import { openTasks } from '#work/provisioning/facts.ts';

/**
 * Returns the open tasks that policies have created since then because a sync discovered these accounts, without those
 * that a connector has seen.
 */
export async function tasksOfDiscoveries(
  tx: OrgTx,
  accountIds: string[],
  since: RawBuilder<unknown>,
): Promise<{ id: string; app_id: string; account_id: string }[]> {
  if (accountIds.length === 0) return [];
  return many<{ id: string; app_id: string; account_id: string }>(tx)`
    select t.id, t.app_id, t.account_id
    from ${openTasks} t
    join policy p on p.org_id = t.org_id and p.id = t.source_id and p.trigger = 'account.discovered'
    where t.org_id = ${tx.orgId} and t.source_type = 'policy' and t.account_id = any(${accountIds}::uuid[])
      and t.created_at >= ${since} and t.dispatched_at is null
    order by t.number`;
}
