import type { Granter, GrantersHook } from '#inventory/records/accounts/own-links.ts';
import { many } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';

/** The people who approved requests in the last 30 days that gave these accounts access. */
export const grantersByRequests: GrantersHook = (tx, accountIds) => many<Granter>(tx)`
    select distinct v.approver_id as person, v.decided_at as at
    from ${tasks} t join ticket_approval v on v.org_id = t.org_id and v.ticket_id = t.source_id
    where t.org_id = ${tx.orgId} and t.account_id = any(${[...accountIds]}::uuid[]) and t.source_type = 'ticket'
      and v.decision = 'approved' and v.decided_at > clock_now() - interval '30 days'`;
