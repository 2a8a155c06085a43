import { type RawBuilder, sql } from 'kysely';
import { accountDetails, accountExists, accounts, entitlements, memberships } from '../inventory/facts.ts';
import type { Db } from '../platform/database/open.ts';
import type { Page, Slice } from '../platform/http/lists.ts';

/** A person who reports to the caller. */
export interface Report {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  title: string | null;
  department: string | null;
  status: 'active' | 'deactivated';
}

const report = sql`
  u.id, u.email, u.first_name, u.last_name, u.attributes ->> 'title' as title,
  u.attributes ->> 'department' as department, u.status`;

/** The direct reports of a manager, without records that were merged into others. */
const reportsOf = (orgId: string, managerId: string): RawBuilder<unknown> => sql`
  u.org_id = ${orgId} and u.manager_id = ${managerId} and u.merged_into is null`;

/** Lists active people first, then by name. `q` is a part of the name or email. */
export async function listReports(
  db: Db,
  orgId: string,
  managerId: string,
  q: string | null,
  page: Page,
): Promise<Slice<Report>> {
  const where = sql`${reportsOf(orgId, managerId)} and (${q}::text is null
    or position(lower(${q}) in lower(u.first_name || ' ' || u.last_name || ' ' || u.email)) > 0)`;
  const counted = await sql<{ n: number }>`select count(*) as n from platform_user u where ${where}`.execute(
    db,
  );
  const { rows } = await sql<Report>`
    select ${report} from platform_user u where ${where}
    order by u.status, lower(u.first_name || ' ' || u.last_name), lower(u.email), u.id
    limit ${page.limit} offset ${page.offset}`.execute(db);
  return { count: counted.rows[0]?.n ?? 0, results: rows };
}

export async function findReport(
  db: Db,
  orgId: string,
  managerId: string,
  userId: string,
): Promise<Report | undefined> {
  const { rows } = await sql<Report>`
    select ${report} from platform_user u where ${reportsOf(orgId, managerId)} and u.id = ${userId}`.execute(
    db,
  );
  return rows[0];
}

/** The access of a person in all apps. */
export interface AccessFigures {
  accounts: number;
  groups: number;
  licenses: number;
  last_sign_in_at: Date | null;
}

/** Returns the figures of these people, without those who have no account. */
export async function accessFigures(
  db: Db,
  orgId: string,
  userIds: readonly string[],
): Promise<Map<string, AccessFigures>> {
  const { rows } = await sql<AccessFigures & { user: string }>`
    with theirs as materialized (
      select a.id, a.user_id from ${accounts} a
      where a.org_id = ${orgId} and a.user_id = any(${userIds}::uuid[]) and ${accountExists('a')}
        and a.status <> 'INACTIVE'
    )
    select theirs.user_id as "user", count(*) as accounts, coalesce(sum(held.groups), 0)::integer as groups,
      coalesce(sum(held.licenses), 0)::integer as licenses, max(d.last_sign_in_at) as last_sign_in_at
    from theirs
    left join ${accountDetails} d on d.org_id = ${orgId} and d.account_id = theirs.id
    left join lateral (
      select count(*) filter (where e.type = 'group') as groups, count(*) filter (where e.type = 'license') as licenses
      from ${memberships} m join ${entitlements} e on e.org_id = ${orgId} and e.id = m.entitlement_id
      where m.org_id = ${orgId} and m.account_id = theirs.id) as held on true
    group by theirs.user_id`.execute(db);
  return new Map(rows.map(({ user, ...figures }) => [user, figures]));
}
