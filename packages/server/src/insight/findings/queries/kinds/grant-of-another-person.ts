import { accounts } from '#inventory/records/accounts/facts.ts';
import { sql } from '#kit/sql.ts';
import { grants, isForAnother, isInForce } from '#reasons/grants/facts.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind } from './kind.ts';
import { nameOfAccount } from './names.ts';

/** An account with grants in force that were decided for another person than the one who has it now. */
export const grantOfAnotherPerson = defineKind({
  severity: 'high',
  subject: 'account',
  say: findingSentences.finding_grant_of_another_person,
  href: (id) => `/accounts/${id}`,
  action: null,
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, a.user_id, min(g.starts_at) as since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name, 'count', count(*)) as "values"
    from ${grants} g
    join ${accounts} a on a.org_id = ${org.orgId} and a.id = g.account_id and a.removed_at is null
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
    where g.org_id = ${org.orgId} and ${isInForce('g')} and ${isForAnother('g', sql`a.user_id`)} and ${within(sql`g.account_id`)}
    group by a.id, a.app_id, a.user_id, a.email, a.username, a.external_id, p.name`,
  events: OF_ACCOUNTS,
  byClock: (org, from, to) => sql`
    select g.account_id as id from ${grants} g
    where g.org_id = ${org.orgId} and (g.starts_at > ${from.toISOString()}::timestamptz and g.starts_at <= ${to.toISOString()}::timestamptz or g.ends_at > ${from.toISOString()}::timestamptz and g.ends_at <= ${to.toISOString()}::timestamptz)`,
});
