import { accounts } from '#inventory/records/accounts/facts.ts';
import { lacksOwner } from '#inventory/records/accounts/leaver-facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind } from './kind.ts';
import { nameOfAccount } from './names.ts';

/** A service or shared account without an active owner. */
export const unownedAccount = defineKind({
  severity: 'medium',
  subject: 'account',
  say: findingSentences.finding_unowned_account,
  href: (id) => `/accounts/${id}`,
  action: { label: 'Set owner', operation: 'updateAccount' },
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, null::uuid as user_id, clock_now() as since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name) as "values"
    from ${accounts} a join app p on p.org_id = ${org.orgId} and p.id = a.app_id
    where a.org_id = ${org.orgId} and ${lacksOwner(org, 'a')} and ${within(sql`a.id`)}`,
  events: OF_ACCOUNTS,
});
