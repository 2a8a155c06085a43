import { heldFirings } from '#decisions/policies/facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_APPS, OF_PEOPLE, OF_POLICIES, OF_TASKS } from './events.ts';
import { defineKind } from './kind.ts';

/** A policy of which tasks wait for the confirmation of an administrator. */
export const heldPolicy = defineKind({
  severity: 'high',
  subject: 'policy',
  say: findingSentences.finding_held_policy,
  href: (id) => `/policies/${id}`,
  action: { label: 'Confirm tasks', operation: 'confirmPolicyActions' },
  rows: (org, within) => sql`
    select p.id as subject_id, null::uuid as app_id, null::uuid as user_id, min(f.held_at) as since,
      jsonb_build_object('policy', p.name, 'count', sum(f.count)) as "values"
    from ${heldFirings} f join policy p on p.org_id = ${org.orgId} and p.id = f.policy_id
    where f.org_id = ${org.orgId} and ${within(sql`p.id`)} group by p.id, p.name`,
  events: [...OF_POLICIES, ...OF_TASKS, ...OF_APPS, ...OF_PEOPLE],
});
