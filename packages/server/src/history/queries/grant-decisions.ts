import { sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';
import { policyName } from '../../policies/facts.ts';
import { tasks } from '../../provisioning/facts.ts';
import { ticketNumber } from '../../requests/facts.ts';
import type { GrantDecision } from '../../reviews/context.ts';
import { decidedBy } from './causes.ts';

export async function grantDecisions(db: Db, orgId: string, taskIds: string[]): Promise<GrantDecision[]> {
  const { rows } = await sql<GrantDecision>`
    select t.id as task, t.task_type,
      case when t.source_type = 'ticket' then ${ticketNumber(orgId, sql`t.source_id`)} end as request_number,
      case when t.source_type = 'policy' then ${policyName(orgId, sql`t.source_id`)} end as policy_name,
      case when u.id is not null then jsonb_build_object('external_uuid', u.id, 'email', u.email) end as decided_by
    from ${tasks} t
    left join lateral (select ${decidedBy(orgId)} as id) d on true
    left join platform_user u on u.org_id = ${orgId} and u.id = d.id
    where t.org_id = ${orgId} and t.id = any(${taskIds}::uuid[])
    order by t.id`.execute(db);
  return rows;
}
