import { unseenAccess } from '#inventory/records/sessions/facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_APPS } from './events.ts';
import { defineKind } from './kind.ts';

/** An app with access that its connector cannot see (D81). */
export const hiddenAccess = defineKind({
  severity: 'medium',
  subject: 'app',
  say: findingSentences.finding_unseen_access,
  href: (id) => `/apps/${id}`,
  action: null,
  rows: (org, within) => sql`
    select p.id as subject_id, p.id as app_id, null::uuid as user_id, s.published_at as since,
      jsonb_build_object('app', p.name, 'records', s.records, 'members', s.members) as "values"
    from app p cross join lateral ${unseenAccess(org, sql`p.id`)} s
    where p.org_id = ${org.orgId} and p.archived_at is null and s.records + s.members > 0 and ${within(sql`p.id`)}`,
  events: OF_APPS,
});
