import { entitlements, isHighRiskGroup, lacksActiveOwner } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { found, highRiskGroups, highRiskGroupsWithoutOwner, ownedHighRiskGroups } from '../touched.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind, type Touched } from './kind.ts';
import { nameOfGroup } from './names.ts';

/** Returns the groups in apps, and those that people own. A deletion leaves the groups of the person without a trace of them. */
async function groupsConcerned(db: OrgDb, { events, of }: Touched): Promise<string[]> {
  const isDeleted = events.some(({ type }) => type === 'user.deleted');
  return [
    ...(await found([...of.app, ...of.account], (ids) => highRiskGroups(db, ids))),
    ...(await found(of.person, (people) => ownedHighRiskGroups(db, people))),
    ...(isDeleted ? await highRiskGroupsWithoutOwner(db) : []),
  ];
}

/** A group whose risk is high, and of which the app names no active person as the owner. Other groups are in the list of access. */
export const groupWithoutOwner = defineKind({
  severity: 'low',
  subject: 'group',
  say: findingSentences.finding_group_without_owner,
  href: (_, app) => `/apps/${app}?tab=groups`,
  action: null,
  rows: (org, within) => sql`
    select e.id as subject_id, e.app_id, null::uuid as user_id, clock_now() as since,
      jsonb_build_object('app', p.name, 'group', ${nameOfGroup('e')}) as "values"
    from ${entitlements} e
    join app p on p.org_id = ${org.orgId} and p.id = e.app_id and p.archived_at is null
    where e.org_id = ${org.orgId} and ${isHighRiskGroup('e')} and e.active and ${lacksActiveOwner(org, 'e')} and ${within(sql`e.id`)}`,
  events: OF_ACCOUNTS,
  also: groupsConcerned,
  inApps: 'found',
});
