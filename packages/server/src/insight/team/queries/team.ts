import {
  accountDetails,
  accountExists,
  accounts,
  entitlements,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, type RawBuilder, sql, value } from '#kit/sql.ts';
import { type ReportFilter, reportFilters } from '../filters.ts';
import type { TeamMember } from '../member-schema.ts';

/** A person who reports to the caller. */
export type Report = Omit<TeamMember, 'access' | 'requests' | 'reviews'>;
/** The access of a person in all apps. */
export type AccessFigures = TeamMember['access'];

const report = sql`
  u.id as external_uuid, u.email, u.first_name, u.last_name, u.attributes ->> 'title' as title,
  u.attributes ->> 'department' as department, u.status`;

/** The direct reports of a manager, without records that were merged into others. */
const reportsOf = (org: Org, managerId: string): RawBuilder<unknown> => sql`
  u.org_id = ${org.orgId} and u.manager_id = ${managerId} and u.merged_into is null`;

/** Lists active people first, then by name. */
export async function listReports(
  db: OrgDb,
  managerId: string,
  filter: ReportFilter,
  page: Page,
): Promise<Slice<Report>> {
  const where = reportFilters.where(db, filter, reportsOf(db, managerId));
  const counted = await value<number>(db)`select count(*) as n from platform_user u where ${where}`;
  const rows = await many<Report>(db)`
    select ${report} from platform_user u where ${where}
    order by u.status, lower(u.first_name || ' ' || u.last_name), lower(u.email), u.id
    limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

export const findReport = (db: OrgDb, managerId: string, userId: string) => one<Report>(db)`
    select ${report} from platform_user u where ${reportsOf(db, managerId)} and u.id = ${userId}`;

/** Returns the figures of these people, without those who have no account. */
export async function accessFigures(
  db: OrgDb,
  userIds: readonly string[],
): Promise<Map<string, AccessFigures>> {
  const rows = await many<AccessFigures & { user: string }>(db)`
    with theirs as materialized (
      select a.id, a.user_id from ${accounts} a
      where a.org_id = ${db.orgId} and a.user_id = any(${userIds}::uuid[]) and ${accountExists('a')}
        and a.status <> 'INACTIVE'
    )
    select theirs.user_id as "user", count(*) as accounts, coalesce(sum(held.groups), 0)::integer as groups,
      coalesce(sum(held.licenses), 0)::integer as licenses, max(d.last_sign_in_at) as last_sign_in_at
    from theirs
    left join ${accountDetails} d on d.org_id = ${db.orgId} and d.account_id = theirs.id
    left join lateral (
      select count(*) filter (where e.type = 'group') as groups, count(*) filter (where e.type = 'license') as licenses
      from ${memberships} m join ${entitlements} e on e.org_id = ${db.orgId} and e.id = m.entitlement_id
      where m.org_id = ${db.orgId} and m.account_id = theirs.id) as held on true
    group by theirs.user_id`;
  return new Map(rows.map(({ user, ...figures }) => [user, figures]));
}
