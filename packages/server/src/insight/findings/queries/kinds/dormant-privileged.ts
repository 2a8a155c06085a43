import {
  accountDetails,
  accounts,
  entitlements,
  isDormant,
  isHighRiskGroup,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { defineKind } from './kind.ts';
import { nameOfAccount } from './names.ts';

/** After so many days without a sign-in, an account is dormant here. */
const DAYS = 90;

/** The accounts `a` with memberships `m` of groups `e` whose risk is high, and with details `d`. */
const privileged = (org: Org): RawBuilder<unknown> => sql`
  ${entitlements} e
  join ${memberships} m on m.org_id = ${org.orgId} and m.entitlement_id = e.id
  join ${accounts} a on a.org_id = ${org.orgId} and a.id = m.account_id
  join ${accountDetails} d on d.org_id = ${org.orgId} and d.account_id = a.id`;

/** The condition that the group `e` belongs to one of these apps. Null: all. */
const isOfApps = (org: Org, appIds: readonly string[] | null) => sql`
  e.org_id = ${org.orgId} and ${isHighRiskGroup('e')} and e.active and (${appIds}::uuid[] is null or e.app_id = any(${appIds}::uuid[]))`;

const fallsAsleep = sql`coalesce(d.last_sign_in_at, a.created_at) + make_interval(days => ${DAYS}::integer)`;

/** An account that holds a group whose risk is high, and was not used for 90 days (D54). */
export const dormantPrivileged = defineKind({
  severity: 'high',
  subject: 'account',
  say: findingSentences.finding_dormant_privileged,
  href: (id) => `/accounts/${id}`,
  action: null,
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, a.user_id, greatest(${fallsAsleep}, min(m.granted_at)) as since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name, 'count', count(*), 'days', ${DAYS}::integer) as "values"
    from ${privileged(org)}
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
    where ${isOfApps(org, null)} and ${within(sql`a.id`)} and ${isDormant(org, 'a', DAYS, null)}
    group by a.id, a.app_id, a.user_id, a.email, a.username, a.external_id, a.created_at, d.last_sign_in_at, p.name`,
  byClock: (org, from, to) => sql`
    select distinct a.id from ${privileged(org)}
    where ${isOfApps(org, null)} and ${fallsAsleep} >= ${from.toISOString()}::timestamptz and ${fallsAsleep} < ${to.toISOString()}::timestamptz`,
});

/** The accounts of these apps that the kind finds now: no event reports sign-ins and the risk of groups. Column: id. */
export const dormantIn = (org: Org, appIds: readonly string[]): RawBuilder<unknown> => sql`
  select distinct a.id from ${privileged(org)} where ${isOfApps(org, appIds)} and ${isDormant(org, 'a', DAYS, appIds)}`;
