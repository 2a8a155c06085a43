import { accounts } from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { grants, hasAccess, isInForce } from '#reasons/grants/facts.ts';
import { openTasks } from '#work/provisioning/facts.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind } from './kind.ts';
import { nameOfAccount } from './names.ts';

/** Whether the account of grant `g` lacks what it gives, and no task is under way that could bring it. */
const isMissing = (
  org: Org,
): RawBuilder<boolean> => sql`(${isInForce('g')} and not ${hasAccess(org, 'g')} and not exists (
  select from ${openTasks} k where k.org_id = ${org.orgId} and k.account_id = g.account_id))`;

/** An account without access that a decision in force gives it: a system took it away, or the task that should have brought it failed. */
export const missingAccess = defineKind({
  severity: 'medium',
  subject: 'account',
  say: findingSentences.finding_missing_access,
  href: (id) => `/accounts/${id}`,
  action: null,
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, a.user_id, min(coalesce(g.gone_since, g.starts_at)) as since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name, 'count', count(*)) as "values"
    from ${grants} g
    join ${accounts} a on a.org_id = ${org.orgId} and a.id = g.account_id
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
    where g.org_id = ${org.orgId} and ${isMissing(org)} and ${within(sql`g.account_id`)}
    group by a.id, a.app_id, a.user_id, a.email, a.username, a.external_id, p.name`,
  events: [...OF_ACCOUNTS, 'task.created', 'task.retried'],
  // Grants begin and end by their time, and some end without an event.
  byClock: (org, from, to) => sql`
    select g.account_id as id from ${grants} g
    where g.org_id = ${org.orgId} and g.starts_at > ${from.toISOString()}::timestamptz and g.starts_at <= ${to.toISOString()}::timestamptz
    union all
    select f.subject_id from finding f
    where f.org_id = ${org.orgId} and f.kind = 'missing_access' and f.resolved_at is null`,
  // Syncs note when access is gone.
  inApps: (org, appIds) => sql`
    select g.account_id as id from ${grants} g
    where g.org_id = ${org.orgId} and g.app_id = any(${appIds}::uuid[]) and g.gone_since is not null and g.ended_at is null`,
});
