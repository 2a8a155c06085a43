import type { Org, OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, exists, many, sql, value, values } from '#kit/sql.ts';
import { type Giver, giverOf, memberCount, sourceOf } from '../facts.ts';
import {
  type MemberFilter,
  memberFilters,
  type ResourceFilter,
  resourceFilters,
} from '../resource-filters.ts';
import type { Member, Resource } from '../resource-schemas.ts';

/** A group or a license, before it is known who asks. */
export type ResourceRow = Required<Omit<Resource, 'is_full' | 'members_more' | 'certainty' | 'bounds'>> & {
  members: number;
};

const resource = (org: Org) => sql`
  e.id as external_uuid, e.external_id as id, t.slug, t.type, e.name, e.description, e.active,
  ${memberCount(org, 'e')} as members,
  (select coalesce(sum(h.value::bigint), 0)::bigint from jsonb_each_text(e.hidden) h) as hidden_members,
  (select coalesce(jsonb_agg(jsonb_build_object('rule', h.key, 'count', h.value) order by h.key), '[]')
    from jsonb_each(e.hidden) h) as hidden,
  e.max_count, e.used_count, e.is_paid, e.is_unlimited, e.risk, e.owner_email,
  (select ${namedPersonJson('u')}
    from platform_user u
    where u.org_id = ${org.orgId} and u.id = e.owner_id) as owner`;

const from = sql`entitlement e join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id`;

/** Lists by name. */
export async function listResources(
  db: OrgDb,
  appId: string,
  filter: ResourceFilter,
  page: Page,
): Promise<{ count: number; ids: string[] }> {
  const where = resourceFilters.where(
    { orgId: db.orgId, ...filter },
    { active: true, ...filter },
    sql`e.org_id = ${db.orgId} and e.app_id = ${appId}`,
  );
  const count = await value<number>(db)`select count(*) as n from ${from} where ${where}`;
  const ids = await values<string>(db)`
    select e.id from ${from} where ${where} order by e.name, e.id limit ${page.limit} offset ${page.offset}`;
  return { count, ids };
}

/** Returns groups and licenses in this order, with the number of their members. */
export const readResources = (db: OrgDb, ids: string[]) => many<ResourceRow>(db)`
    select ${resource(db)} from ${from} where e.org_id = ${db.orgId} and e.id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], e.id)`;

export const resourceExists = (db: OrgDb, appId: string, resourceId: string) => exists(db)`
    select from entitlement where org_id = ${db.orgId} and app_id = ${appId} and id = ${resourceId}`;

/** A member without its grants. Its source is null if it holds the group or license directly. */
type MemberRow = Omit<Member, 'grants'> & { source: Giver | null; source_id: string | null };

export async function listMembers(
  db: OrgDb,
  { appId, resourceId }: { appId: string; resourceId: string },
  filter: MemberFilter,
  page: Page,
): Promise<Slice<MemberRow>> {
  const conditions = memberFilters.conditions({ orgId: db.orgId, apps: [appId] }, filter);
  const where = sql.join(
    [sql`m.org_id = ${db.orgId} and m.entitlement_id = ${resourceId}`, ...conditions],
    sql` and `,
  );
  const counted = await countFor(db, page)`
    select from membership m ${conditions.length === 0 ? sql`` : sql`join account a on a.org_id = m.org_id and a.id = m.account_id`}
    where ${where}`;
  const rows = await many<MemberRow>(db)`
    select a.id as external_uuid, a.email, a.username, a.display_name, a.status, a.user_id as "user", m.granted_at,
      m.seen_until as last_seen_at, d.last_sign_in_at,
      (select ${namedPersonJson('u')} from platform_user u where u.org_id = ${db.orgId} and u.id = a.user_id) as person,
      ${giverOf(db, 'm')} as via, s.source, held.entitlement_id as source_id, not coalesce(held.given, m.given) as found
    from membership m join account a on a.org_id = m.org_id and a.id = m.account_id
    left join account_detail d on d.org_id = a.org_id and d.account_id = a.id
    cross join lateral (select ${sourceOf(db, 'm')} as source) s
    left join membership held on held.org_id = m.org_id and held.account_id = m.account_id
      and held.entitlement_id = (s.source ->> 'external_uuid')::uuid
    where ${where}
    order by m.account_id limit ${page.limit} offset ${page.offset}`;
  return { ...counted, results: rows };
}
