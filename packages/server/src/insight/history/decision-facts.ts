import { approverOf } from '#decisions/requests/facts.ts';
import { reviewerOf } from '#decisions/reviews/campaigns/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { endOf, grants } from '#reasons/grants/facts.ts';
import { decisionOfTask, isEnd } from '#work/provisioning/facts.ts';
import type { EndedBy } from './period-schemas.ts';

/** The person who decided task `t`: its approver, reviewer or administrator. Null if a policy did. */
export const decidedBy = (org: Org): RawBuilder<string | null> => sql`
  case t.task_type
    when 'APPROVAL_WORKFLOW' then ${approverOf(org, sql`t.source_id`)}
    when 'ACCESS_REVIEW' then ${reviewerOf(org, sql`t.source_id`)}
    when 'USER_ACTION' then t.created_by end`;

/**
 * The decision behind task `t`, as JSON. An end that follows from grants is that of the last one on the access that had ended at `at`: `end` if
 * its time was over. All parameters are SQL expressions.
 */
export const decisionBehind = (
  org: Org,
  { accountId, entitlementId, at }: Record<'accountId' | 'entitlementId' | 'at', RawBuilder<unknown>>,
): RawBuilder<EndedBy> => {
  const { kind, id } = decisionOfTask('t');
  return sql<EndedBy>`(
    select jsonb_build_object('kind', coalesce(last.kind, ${kind}), 'external_uuid', coalesce(last.id, ${id}),
      'label', coalesce(last.label, t.source_label))
    from (select) one left join lateral (
      select coalesce(g.ended_kind, 'end') as kind, case when g.ended_kind is null then g.source_id else g.ended_source end as id,
        coalesce(g.ended_label, g.label) as label
      from ${grants} g
      where ${isEnd('t')} and g.org_id = ${org.orgId} and g.account_id = ${accountId}
        and g.entitlement_id is not distinct from ${entitlementId} and ${endOf('g')} <= ${at}
      order by ${endOf('g')} desc, g.id limit 1) last on true)`;
};
