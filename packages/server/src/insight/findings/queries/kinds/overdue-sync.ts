import { overdueSync } from '#inventory/records/sessions/facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_APPS } from './events.ts';
import { defineKind } from './kind.ts';

/** An app whose newest completed sync is older than three usual intervals. */
export const overdue = defineKind({
  severity: 'medium',
  subject: 'app',
  say: findingSentences.finding_overdue_sync,
  href: (id) => `/apps/${id}?tab=syncs`,
  action: null,
  rows: (org, within) => sql`
    select p.id as subject_id, p.id as app_id, null::uuid as user_id, o.finished_at as since,
      jsonb_build_object('app', p.name) as "values"
    from app p cross join lateral ${overdueSync(org, 'p')} o
    where p.org_id = ${org.orgId} and p.archived_at is null and ${within(sql`p.id`)}`,
  events: OF_APPS,
  byClock: 'always',
});
