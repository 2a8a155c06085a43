import { sql } from '#kit/sql.ts';
import { unassignedTasks } from '#work/fulfillment/facts.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_APPS, OF_FULFILLMENT, OF_PEOPLE, OF_TASKS } from './events.ts';
import { defineKind } from './kind.ts';

/** A task that people carry out, and for which nobody was found. */
export const taskWithoutFulfiller = defineKind({
  severity: 'high',
  subject: 'task',
  say: findingSentences.finding_task_without_fulfiller,
  href: (id) => `/tasks/${id}`,
  action: { label: 'Reassign task', operation: 'reassignFulfillmentTask' },
  rows: (org, within) => sql`
    select t.task_id as subject_id, t.app_id, null::uuid as user_id, t.since, jsonb_build_object('app', p.name) as "values"
    from ${unassignedTasks} t join app p on p.org_id = ${org.orgId} and p.id = t.app_id and p.archived_at is null
    where t.org_id = ${org.orgId} and ${within(sql`t.task_id`)}`,
  events: [...OF_FULFILLMENT, ...OF_TASKS, ...OF_APPS, ...OF_PEOPLE],
  inApps: 'found',
});
