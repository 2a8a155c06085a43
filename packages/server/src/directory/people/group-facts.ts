import type { OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, one, sql, type ValuesOf } from '#kit/sql.ts';
import { groupFilters } from './filters.ts';
import type { GroupMember, ListedGroup, PersonGroup } from './schemas.ts';

export const groupColumns = sql`g.id, g.display_name, g.external_id, g.role, g.version::float8 as version, g.created_at, g.updated_at, g.key_id`;

/**
 * Returns another group that is the same one: with this external id or, if neither has one, with this name, compared without case and
 * surrounding spaces. Other groups may share a name (RFC 7643, 4.2).
 */
export const findSameGroup = (
  db: OrgDb,
  { id, display_name, external_id }: Pick<PersonGroup, 'id' | 'display_name' | 'external_id'>,
) => one<PersonGroup>(db)`
    select ${groupColumns} from person_group g
    where g.org_id = ${db.orgId} and g.id <> ${id} and case when ${external_id}::text is null
      then g.external_id is null and name_key(btrim(g.display_name)) = name_key(btrim(${display_name}))
      else g.external_id = ${external_id}::text end
    limit 1`;

export async function listGroups(
  db: OrgDb,
  filter: ValuesOf<typeof groupFilters>,
  page: Page,
): Promise<Slice<ListedGroup>> {
  const where = groupFilters.where(db, filter, sql`g.org_id = ${db.orgId}`);
  const counted = await countFor(db, page)`select from person_group g where ${where}`;
  const rows = await many<ListedGroup>(db)`
    select ${groupColumns}, (
      select count(*) from person_group_member m where m.org_id = ${db.orgId} and m.group_id = g.id) as members
    from person_group g where ${where}
    order by name_key(g.display_name), g.id limit ${page.limit} offset ${page.offset}`;
  return { ...counted, results: rows };
}

export async function listMembers(db: OrgDb, groupId: string, page: Page): Promise<Slice<GroupMember>> {
  const counted = await countFor(db, page)`
    select from person_group_member m where m.org_id = ${db.orgId} and m.group_id = ${groupId}`;
  const rows = await many<GroupMember>(db)`
    select u.id as external_uuid, u.email, u.username, u.first_name, u.last_name, u.role, u.status
    from person_group_member m
    join platform_user u on u.org_id = ${db.orgId} and u.id = m.user_id
    where m.org_id = ${db.orgId} and m.group_id = ${groupId}
    order by u.id limit ${page.limit} offset ${page.offset}`;
  return { ...counted, results: rows };
}
