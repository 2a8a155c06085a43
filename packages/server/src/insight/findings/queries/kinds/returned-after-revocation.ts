import { accounts, entitlements, memberships } from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { grants } from '#reasons/grants/facts.ts';
import { lastRemovals } from '#work/provisioning/facts.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind, type Within } from './kind.ts';
import { nameOfAccount } from './names.ts';

/** Groups that an account has again since a task took them away and that nobody has granted since. */
const returned = (org: Org, within: Within) => sql`(
  select m.account_id, m.granted_at, e.external_id, e.slug
  from ${lastRemovals(org, within)} r
  join ${memberships} m on m.org_id = ${org.orgId} and m.account_id = r.account_id and m.entitlement_id = r.entitlement_id
    and m.granted_at > r.ended_at
  join ${entitlements} e on e.org_id = ${org.orgId} and e.id = m.entitlement_id and e.type = 'group'
  where not exists (
    select from ${grants} g
    where g.org_id = ${org.orgId} and g.account_id = m.account_id and g.entitlement_id = m.entitlement_id and g.recorded_at > r.ended_at))`;

/** An account with groups that syncs show again after tasks had removed them. */
export const returnedAfterRevocation = defineKind({
  severity: 'high',
  subject: 'account',
  say: findingSentences.finding_returned_after_revocation,
  href: (id) => `/accounts/${id}`,
  action: { label: 'Remove again', operation: 'createTask' },
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, a.user_id, g.since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name, 'count', g.count, 'changes', g.changes) as "values"
    from (
      select s.account_id, min(s.since) as since, sum(s.count)::bigint as count,
        jsonb_object_agg(s.slug, jsonb_build_object('removed', s.ids)) as changes
      from (
        select b.account_id, b.slug, min(b.granted_at) as since, count(*) as count, jsonb_agg(b.external_id order by b.external_id) as ids
        from ${returned(org, within)} b group by b.account_id, b.slug) s
      group by s.account_id) g
    join ${accounts} a on a.org_id = ${org.orgId} and a.id = g.account_id and a.removed_at is null
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null`,
  events: OF_ACCOUNTS,
  // Grants end it, and some have no event. They begin nothing.
  byClock: (org) => sql`
    select f.subject_id as id from finding f
    where f.org_id = ${org.orgId} and f.kind = 'returned_after_revocation' and f.resolved_at is null`,
});
