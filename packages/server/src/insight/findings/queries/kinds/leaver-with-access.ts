import { inactiveSince } from '#directory/people/facts.ts';
import { countUsableAccounts, isLeaver } from '#inventory/records/accounts/leaver-facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind } from './kind.ts';
import { nameOfPerson } from './names.ts';

/** A person who is deactivated or past their end date, and has accounts that could be used or resumed. */
export const leaverWithAccess = defineKind({
  severity: 'high',
  subject: 'person',
  say: findingSentences.finding_leaver_with_access,
  href: (id) => `/people/${id}`,
  action: { label: 'Offboard user', operation: 'offboardUser' },
  rows: (org, within) => sql`
    select u.id as subject_id, null::uuid as app_id, u.id as user_id,
      coalesce(case when u.status = 'deactivated' then ${inactiveSince(org, 'u')} end,
        (u.end_date + 1)::timestamp at time zone 'UTC', clock_now()) as since,
      jsonb_build_object('person', ${nameOfPerson('u')}, 'count', ${countUsableAccounts(org)}) as "values"
    from platform_user u where ${isLeaver(org, null)} and ${within(sql`u.id`)}`,
  events: OF_ACCOUNTS,
  byClock: (org, from, to) => sql`
    select u.id from platform_user u
    where u.org_id = ${org.orgId} and u.end_date is not null
      and u.end_date >= (${from.toISOString()}::timestamptz at time zone 'UTC')::date - 1 and u.end_date < (${to.toISOString()}::timestamptz at time zone 'UTC')::date`,
});
