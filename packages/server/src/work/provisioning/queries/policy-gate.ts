import { accountExists, accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import { decidedAt } from '../facts.ts';
import type { PolicyTask } from '../task.ts';

/**
 * Returns those of these tasks that policies made before this transaction, about accounts that exist, or that are to be created. A policy
 * says nothing about accounts and people that are gone: other rules do.
 */
export const policyTasks = (db: OrgDb, taskIds: readonly string[]) => many<PolicyTask>(db)`
    select t.id, t.source_id as policy_id, t.app_id, t.account_id, t.action, (agrees.value ->> 'user_id')::uuid as user_id,
      t.action in ('create_account', 'unsuspend_account') or exists (
        select from task_change c where c.org_id = ${db.orgId} and c.task_id = t.id and c.added) as gives,
      coalesce(t.released_at >= t.execute_after, false) as is_confirmed, exists (
        select from task o
        where o.org_id = ${db.orgId} and o.account_id = t.account_id and o.source_id = t.source_id and o.source_type = 'policy'
          and o.dispatched_at >= ${decidedAt(db, 't')}) as has_begun
    from task t
    cross join lateral jsonb_array_elements(t.preconditions) agrees
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = t.account_id
    where t.org_id = ${db.orgId} and t.id = any(${taskIds}::uuid[]) and t.source_type = 'policy'
      and agrees.value ->> 'kind' = 'policy_agrees' and t.created_at < now()
      and (t.action = 'create_account' or ${accountExists('a')})
      and (agrees.value ->> 'user_id' is null or exists (
        select from platform_user u where u.org_id = ${db.orgId} and u.id = (agrees.value ->> 'user_id')::uuid))
    order by t.number`;
