import { isOwnAccount } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { sql, values } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';

/** Returns those of these accounts with which a connector signs in, and on which this policy has tried to act (D66). */
export const ownAccountsTried = (
  db: OrgDb,
  policyId: string,
  accountIds: readonly string[],
) => values<string>(db)`
    select distinct t.account_id from ${tasks} t
    where t.org_id = ${db.orgId} and t.account_id = any(${accountIds}::uuid[]) and t.source_type = 'policy'
      and t.source_id = ${policyId} and t.status = 'cancelled' and t.action in ('delete_account', 'suspend_account')
      and ${isOwnAccount(db, sql`t.account_id`)}`;
