import { heldSyncs } from '#inventory/records/sessions/facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_APPS } from './events.ts';
import { defineKind } from './kind.ts';

/** A sync whose removals wait for the approval of an administrator. */
export const heldSync = defineKind({
  severity: 'high',
  subject: 'app',
  say: findingSentences.finding_held_sync,
  href: (id) => `/apps/${id}?tab=syncs`,
  action: { label: 'Approve removal', operation: 'approveSync' },
  rows: (org, within) => sql`
    select distinct on (p.id) p.id as subject_id, p.id as app_id, null::uuid as user_id,
      coalesce(s.published_at, s.started_at) as since,
      jsonb_build_object('app', p.name, 'accounts', s.held -> 'accounts', 'memberships', s.held -> 'memberships') as "values"
    from ${heldSyncs} s join app p on p.org_id = ${org.orgId} and p.id = s.app_id and p.archived_at is null
    where s.org_id = ${org.orgId} and ${within(sql`p.id`)} order by p.id, s.started_at`,
  events: OF_APPS,
});
