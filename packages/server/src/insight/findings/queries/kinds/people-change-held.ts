import { openHolds } from '#decisions/holds/facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_HOLDS } from './events.ts';
import { defineKind } from './kind.ts';

/** A change of many people, of which the consequences wait for the decision of an administrator (D78). */
export const peopleChangeHeld = defineKind({
  severity: 'high',
  subject: 'hold',
  say: findingSentences.finding_people_change_held,
  href: (id) => `/holds/${id}`,
  action: { label: 'Confirm hold', operation: 'confirmHold' },
  rows: (org, within) => sql`
    select h.id as subject_id, null::uuid as app_id, null::uuid as user_id, h.held_at as since,
      jsonb_build_object('count', h.count, 'total', h.total) as "values"
    from ${openHolds} h where h.org_id = ${org.orgId} and ${within(sql`h.id`)}`,
  events: OF_HOLDS,
});
