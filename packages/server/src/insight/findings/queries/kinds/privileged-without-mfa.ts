import { accountOwners, isUsableMember } from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind } from './kind.ts';
import { nameOfAccount } from './names.ts';
import { heldGroups, isPrivileged } from './privileged.ts';

/** Whether the app says that account `a` has no second factor (null: it does not say). Nobody expects one of service and shared accounts. */
const hasNoFactor = (org: Org) => sql`(d.mfa_enabled is false and ${isUsableMember('a')} and not exists (
  select from ${accountOwners} o where o.org_id = ${org.orgId} and o.account_id = a.id offset 0))`;

/** An account of a person that holds a group whose risk is high, and signs in without a second factor. */
export const privilegedWithoutMfa = defineKind({
  severity: 'high',
  subject: 'account',
  say: findingSentences.finding_privileged_without_mfa,
  href: (id) => `/accounts/${id}`,
  action: { label: 'Suspend account', operation: 'createTask' },
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, a.user_id, clock_now() as since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name, 'count', count(*)) as "values"
    from ${heldGroups(org)}
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
    where ${isPrivileged(org, null)} and ${within(sql`a.id`)} and ${hasNoFactor(org)}
    group by a.id, a.app_id, a.user_id, a.email, a.username, a.external_id, p.name`,
  events: OF_ACCOUNTS,
  inApps: (org, appIds) => sql`
    select distinct a.id from ${heldGroups(org)} where ${isPrivileged(org, appIds)} and ${hasNoFactor(org)}`,
});
