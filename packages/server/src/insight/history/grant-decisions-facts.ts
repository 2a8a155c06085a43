import { policyName } from '#decisions/policies/facts.ts';
import { ticketNumber } from '#decisions/requests/facts.ts';
import type { GrantDecision } from '#decisions/reviews/cycles/context-schemas.ts';
import type { OrgDb } from '#kit/database.ts';
import { personJson } from '#kit/identity.ts';
import { many, sql } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';
import { decidedBy } from './queries/causes.ts';

/** Returns the request, policy or person behind each of these tasks, for reviewers of the access that they granted. */
export const readGrantDecisions = (db: OrgDb, taskIds: string[]) => many<GrantDecision>(db)`
    select t.id as task, t.task_type,
      case when t.source_type = 'ticket' then ${ticketNumber(db, sql`t.source_id`)} end as request_number,
      case when t.source_type = 'policy' then ${policyName(db, sql`t.source_id`)} end as policy_name,
      case when u.id is not null then ${personJson('u')} end as decided_by
    from ${tasks} t
    left join lateral (select ${decidedBy(db)} as id) d on true
    left join platform_user u on u.org_id = ${db.orgId} and u.id = d.id
    where t.org_id = ${db.orgId} and t.id = any(${taskIds}::uuid[])
    order by t.id`;
