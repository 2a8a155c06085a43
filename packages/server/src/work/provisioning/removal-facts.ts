import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { decisionOfTask, isEnd } from './facts.ts';

/**
 * The tasks with which a decision takes access away, also if a sync no longer showed it first, and those that will: not those that ended
 * before `since` or that nobody wants any more, and not ends, which follow from grants. Columns: account_id, entitlement_id (null: the
 * account, with all that it has), has_come (false: their time has not come, or they are on hold), number, created_at, retry_of, kind, id, label,
 * decided_by (null: a policy, or silence, whose preconditions say so).
 */
export const removals = (org: Org, since: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { kind, id } = decisionOfTask('t');
  return sql`(
    select t.account_id, c.entitlement_id, t.number, t.created_at, t.retry_of, ${kind} as kind, ${id} as id, t.source_label as label,
      case when not ${kind} = 'policy' and not t.preconditions @> '[{"kind": "not_last_member"}]' then t.created_by end as decided_by,
      t.status <> 'scheduled' or case when t.waits_for is null then t.execute_after <= clock_now()
        else t.waits_for in ('account', 'external_id') end as has_come
    from task t
    left join task_change c on c.org_id = ${org.orgId} and c.task_id = t.id and not c.added and (not c.spared or c.away)
    where t.org_id = ${org.orgId} and (t.action = 'delete_account' or c.entitlement_id is not null) and not ${isEnd('t')}
      and case t.status when 'preempted' then false when 'cancelled' then t.awaits_return_until is not null and t.ended_at > ${since}
        else coalesce(t.ended_at, 'infinity') > ${since} end)`;
};
