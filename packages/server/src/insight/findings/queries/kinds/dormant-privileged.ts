import { isDormant } from '#inventory/records/accounts/facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind } from './kind.ts';
import { nameOfAccount } from './names.ts';
import { heldGroups, isPrivileged } from './privileged.ts';

/** After so many days without a sign-in, an account is dormant here. */
const DAYS = 90;

const fallsAsleep = sql`coalesce(d.last_sign_in_at, a.created_at) + make_interval(days => ${DAYS}::integer)`;

/** An account that holds a group whose risk is high, and was not used for 90 days (D54). */
export const dormantPrivileged = defineKind({
  severity: 'high',
  subject: 'account',
  say: findingSentences.finding_dormant_privileged,
  href: (id) => `/accounts/${id}`,
  action: { label: 'Suspend account', operation: 'createTask' },
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, a.user_id, greatest(${fallsAsleep}, min(m.granted_at)) as since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name, 'count', count(*), 'days', ${DAYS}::integer) as "values"
    from ${heldGroups(org)}
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
    where ${isPrivileged(org, null)} and ${within(sql`a.id`)} and ${isDormant(org, 'a', DAYS, null)}
    group by a.id, a.app_id, a.user_id, a.email, a.username, a.external_id, a.created_at, d.last_sign_in_at, p.name`,
  events: OF_ACCOUNTS,
  byClock: (org, from, to) => sql`
    select distinct a.id from ${heldGroups(org)}
    where ${isPrivileged(org, null)} and ${fallsAsleep} >= ${from.toISOString()}::timestamptz and ${fallsAsleep} < ${to.toISOString()}::timestamptz`,
  inApps: (org, appIds) => sql`
    select distinct a.id from ${heldGroups(org)} where ${isPrivileged(org, appIds)} and ${isDormant(org, 'a', DAYS, appIds)}`,
});
