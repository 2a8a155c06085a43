import type { Granter, GrantersHook } from '#inventory/records/accounts/own-links.ts';
import { many, values } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';
import type { Decided, DecidersHook } from '#work/provisioning/own-afterwards.ts';

/** The people who approved requests in the last 30 days that gave these accounts access. */
export const grantersByRequests: GrantersHook = (tx, accountIds) => many<Granter>(tx)`
    select distinct v.approver_id as person, v.decided_at as at
    from ${tasks} t join ticket_approval v on v.org_id = t.org_id and v.ticket_id = t.source_id
    where t.org_id = ${tx.orgId} and t.account_id = any(${[...accountIds]}::uuid[]) and t.source_type = 'ticket'
      and v.decision = 'approved' and v.decided_at > clock_now() - interval '30 days'`;

/** The approvals behind tasks, with the people of each request. */
export const decidersOfRequests: DecidersHook = {
  deciders: (db, gifts) => many<Decided>(db)`
    select g.task, v.approver_id as person, v.decided_at as at,
      array(select coalesce(u.merged_into, u.id)::text from platform_user u
        where u.org_id = ${db.orgId} and u.id in (t.user_id, t.requester_id, t.created_by)) as concerned
    from unnest(${gifts.map(({ id }) => id)}::uuid[], ${gifts.map(({ source_type, source_id }) => (source_type === 'ticket' ? source_id : null))}::uuid[])
      as g (task, ticket)
    join ticket t on t.org_id = ${db.orgId} and t.id = g.ticket
    join ticket_approval v on v.org_id = ${db.orgId} and v.ticket_id = t.id and v.decision = 'approved'`,
  concerning: (db, people) => values<string>(db)`
    select t.id from ticket t
    where t.org_id = ${db.orgId} and t.status = 'APPROVED' and t.decided_at > clock_now() - interval '30 days'
      and (t.user_id = any(${[...people]}::uuid[]) or t.requester_id = any(${[...people]}::uuid[])
        or t.created_by = any(${[...people]}::uuid[]))`,
};
