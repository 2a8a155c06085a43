import {
  accounts,
  entitlements,
  isHighRiskGroup,
  isUsableMember,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { found, highRiskGroups } from '../touched.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind } from './kind.ts';
import { nameOfAccount, nameOfGroup } from './names.ts';

/** A group whose risk is high with one usable member, and no hidden ones (D66, D81). */
export const lastMemberLeft = defineKind({
  severity: 'medium',
  subject: 'group',
  say: findingSentences.finding_last_member_left,
  href: (_, app) => `/apps/${app}?tab=groups`,
  action: null,
  rows: (org, within) => sql`
    select e.id as subject_id, e.app_id, a.user_id, clock_now() as since,
      jsonb_build_object('account', ${nameOfAccount('a')}, 'app', p.name, 'group', ${nameOfGroup('e')}) as "values"
    from ${entitlements} e
    join app p on p.org_id = ${org.orgId} and p.id = e.app_id and p.archived_at is null
    cross join lateral (
      select array_agg(found.id) as ids from (
        select b.id from ${memberships} m join ${accounts} b on b.org_id = ${org.orgId} and b.id = m.account_id
        where m.org_id = ${org.orgId} and m.entitlement_id = e.id and ${isUsableMember('b')} limit 2) found) members
    join ${accounts} a on a.org_id = ${org.orgId} and a.id = members.ids[1]
    where e.org_id = ${org.orgId} and ${isHighRiskGroup('e')} and e.active and not e.is_hiding and ${within(sql`e.id`)}
      and cardinality(members.ids) = 1`,
  events: OF_ACCOUNTS,
  also: (db, { of }) => found([...of.app, ...of.account], (ids) => highRiskGroups(db, ids)),
  inApps: 'found',
});
