import type { Granter, GrantersHook } from '#inventory/records/accounts/own-links.ts';
import { many } from '#kit/sql.ts';
import { givesAccess } from './facts.ts';

/** The people who created, released or enabled the policy of tasks that gave these accounts access in the last 30 days. */
export const grantersByTasks: GrantersHook = (tx, accountIds) => many<Granter>(tx)`
    select distinct person, at from task t
    cross join lateral (values (t.created_by, t.created_at), (t.released_by, t.released_at)) as by (person, at)
    where t.org_id = ${tx.orgId} and t.account_id = any(${[...accountIds]}::uuid[])
      and t.status not in ('cancelled', 'preempted') and by.person is not null
      and by.at > clock_now() - interval '30 days'
      and ${givesAccess(tx, 't')}`;
