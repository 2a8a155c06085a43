import { accountsOfRequests, isOwnAfterwards } from '#decisions/requests/facts.ts';
import { keptByTheirOwn } from '#decisions/reviews/cycles/own-facts.ts';
import { accounts } from '#inventory/records/accounts/facts.ts';
import { becameOwn } from '#inventory/records/history/link-facts.ts';
import type { Org } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { grants, isOpen } from '#reasons/grants/facts.ts';
import { tasks } from '#work/provisioning/facts.ts';
import { findingSentences } from '../../sentences.ts';
import { found, mergedIn } from '../touched.ts';
import { OF_ACCOUNTS, OF_REVIEWS } from './events.ts';
import { defineKind, type Within } from './kind.ts';
import { nameOfAccount } from './names.ts';

/** Whether somebody has the account of grant `g`, which they decided by hand, since then. */
const isOwnGrant = (org: Org) => sql`(g.kind in ('manual', 'restore') and exists (
  select from ${accounts} own join platform_user d on d.org_id = ${org.orgId} and d.id = g.decided_by
  where own.org_id = ${org.orgId} and own.id = g.account_id and own.user_id in (d.id, d.merged_into))
  and ${becameOwn(org, sql`g.account_id`, { person: sql`g.decided_by`, at: sql`g.recorded_at` })})`;

/** Whether somebody other than those who decided grant `g` has confirmed its task. */
const isConfirmed = (org: Org) => sql`exists (
  select from ${tasks} k
  where k.org_id = ${org.orgId} and k.account_id = g.account_id and coalesce(k.source_id, k.id) = g.source_id
    and k.released_by <> g.decided_by and not exists (
      select from ticket_approval v
      where v.org_id = ${org.orgId} and v.ticket_id = g.source_id and v.approver_id = k.released_by))`;

const decisions = (org: Org, within: Within) => sql`(
  select g.account_id, min(g.recorded_at) as decided_at
  from ${grants} g left join ticket t on t.org_id = ${org.orgId} and t.id = g.source_id and g.kind = 'request'
  where g.org_id = ${org.orgId} and ${within(sql`g.account_id`)} and g.decided_by is not null and ${isOpen('g')}
    and case when t.id is null then ${isOwnGrant(org)} else ${isOwnAfterwards(org)} end and not ${isConfirmed(org)}
  group by g.account_id, g.source_id
  union all ${keptByTheirOwn(org, within)})`;

/** An account with access that was decided by somebody whose own it became (D76). */
export const ownAfterwards = defineKind({
  severity: 'high',
  subject: 'account',
  say: findingSentences.finding_own_afterwards,
  href: (id) => `/accounts/${id}`,
  action: null,
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, a.user_id, min(d.decided_at) as since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name, 'count', count(*)) as "values"
    from ${decisions(org, within)} d
    cross join lateral (
      select * from ${accounts} o where o.org_id = ${org.orgId} and o.id = d.account_id and o.removed_at is null offset 0) a
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
    group by a.id, a.app_id, a.user_id, a.email, a.username, a.external_id, p.name`,
  // Requests of a merged person are those of the other one from then on.
  also: (db, { events }) => found(mergedIn(events), (people) => accountsOfRequests(db, people)),
  events: [...OF_ACCOUNTS, ...OF_REVIEWS],
  // Time ends grants and the year after a review. It begins nothing.
  byClock: (org) => sql`
    select f.subject_id as id from finding f
    where f.org_id = ${org.orgId} and f.kind = 'own_afterwards' and f.resolved_at is null`,
  inApps: 'found',
});
