import { leaveDays } from '#directory/people/leave-facts.ts';
import type { Profile } from '#directory/people/person.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { many, one, type RawBuilder, sql, value, values } from '#kit/sql.ts';
import { personAttributes } from '../../../../../protocol/src/person-attributes.ts';
import type { ElementFilter, ResourceFilter } from '../filter.ts';
import { find, type Place, User } from '../schema.ts';
import { type Column, type Columns, conditionOf, elementCondition, jsonList } from './filters.ts';

type Sql = RawBuilder<unknown>;

/** A person with their groups and the data that the client keeps of them. */
export interface UserRow extends Profile {
  created_at: Date;
  changed_at: Date;
  external_id: string | null;
  owned: string[] | null;
  extra: Record<string, unknown>;
  manager_name: string | null;
  groups: { value: string; display: string }[];
  /** The id and the key of the client from which they were released, if no client has written them since. */
  released_id: string | null;
  released_key: string | null;
  /** The id under which they had left, if they came back under another one. */
  former_id: string | null;
}

export interface GroupRow {
  id: string;
  display_name: string;
  external_id: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  /** Undefined if they were not requested. */
  members?: { value: string; display: string }[];
}

export interface Search {
  filter: ResourceFilter | undefined;
  sort: { by: Place; descending: boolean } | undefined;
  offset: number;
  limit: number;
}

/** For the client, merged and succeeded people and people whom it deleted do not exist. */
const isKnown = sql`s.deleted_at is null and u.merged_into is null and u.succeeded_by is null`;
const fullName = (alias: string) =>
  sql`nullif(btrim(${sql.ref(`${alias}.first_name`)} || ' ' || ${sql.ref(`${alias}.last_name`)}), '')`;
/** The name that others see: the display name, the full name or the username. */
const shownName = (alias: string) => sql`coalesce(
  case when jsonb_typeof(${sql.ref(`${alias}.attributes`)}->'displayName') = 'string'
    then nullif(${sql.ref(`${alias}.attributes`)}->>'displayName', '') end,
  ${fullName(alias)}, ${sql.ref(`${alias}.username`)})`;

const from = (org: Org) => sql`
  platform_user u left join person_source s on s.org_id = ${org.orgId} and s.user_id = u.id
  left join person_release released on released.org_id = ${org.orgId} and released.user_id = u.id`;

const userColumns = (org: Org) => sql`
  u.id, u.username, u.email, u.first_name, u.last_name, u.identity_type, u.domain_type, u.manager_id as manager, u.status,
  u.role, u.attributes, to_char(u.start_date, 'YYYY-MM-DD') as start_date, to_char(u.end_date, 'YYYY-MM-DD') as end_date,
  ${leaveDays(org, 'u')}, u.merged_into, u.succeeded_by, u.created_at, greatest(u.updated_at, s.updated_at) as changed_at, s.external_id, s.owned,
  coalesce(s.extra, '{}') as extra, s.former_id, released.external_id as released_id, released.key_id as released_key,
  (select ${shownName('m')} from platform_user m where m.org_id = ${org.orgId} and m.id = u.manager_id) as manager_name,
  (select coalesce(jsonb_agg(jsonb_build_object('value', g.id, 'display', g.display_name)
      order by g.display_name collate "C"), '[]')
    from person_group_member gm join person_group g on g.org_id = ${org.orgId} and g.id = gm.group_id
    where gm.org_id = ${org.orgId} and gm.user_id = u.id) as groups`;

export const findUser = (db: OrgDb, id: string) => one<UserRow>(db)`
    select ${userColumns(db)} from ${from(db)}
    where u.org_id = ${db.orgId} and u.id = ${id} and ${isKnown}`;

/** A person with the email, username or external id of another. */
export interface Alike extends UserRow {
  /** Whether the client deleted them. */
  deleted: boolean;
  /** The client that wrote them last. */
  source_key: string | null;
  same_email: boolean;
  /** Null if one of both has none. */
  same_id: boolean | null;
  same_username: boolean;
}

/** Returns the people with this email, username or external id, including deleted and merged people. */
export const findAlike = (
  db: OrgDb,
  { email, username, externalId }: { email: string; username: string; externalId: string | null },
) => many<Alike>(db)`
    select ${userColumns(db)}, s.deleted_at is not null as deleted, s.key_id as source_key,
      u.succeeded_by is null and ${emailKey(sql`u.email`)} = ${emailKey(sql`${email}::text`)} as same_email,
      s.external_id = ${externalId}::text as same_id,
      name_key(u.username) = name_key(${username}::text) as same_username
    from ${from(db)}
    where u.org_id = ${db.orgId} and u.id in (
      select one.id from platform_user one
      where one.org_id = ${db.orgId} and ${emailKey(sql`one.email`)} = ${emailKey(sql`${email}::text`)}
        and one.succeeded_by is null
      union all
      select one.id from platform_user one
      where one.org_id = ${db.orgId} and name_key(one.username) = name_key(${username}::text)
      union all
      select one.user_id from person_source one
      where one.org_id = ${db.orgId} and one.external_id = ${externalId}::text and one.deleted_at is null
      union all
      select one.user_id from person_source one
      where one.org_id = ${db.orgId} and one.external_id = ${externalId}::text and one.deleted_at is not null
      union all
      select one.user_id from person_release one
      where one.org_id = ${db.orgId} and one.external_id = ${externalId}::text)
    order by u.id`;

export async function searchUsers(
  db: OrgDb,
  { filter, sort, offset, limit }: Search,
): Promise<{ total: number; rows: UserRow[] }> {
  const columns = userColumnsOf(db);
  const matches = filter === undefined ? sql`true` : conditionOf(filter, columns);
  const where = sql`u.org_id = ${db.orgId} and ${isKnown} and ${matches}`;
  const total = await value<number>(db)`select count(*)::float8 as n from ${from(db)} where ${where}`;
  if (limit === 0 || offset >= total) return { total, rows: [] };
  const rows = await many<UserRow>(db)`
    select ${userColumns(db)} from ${from(db)} where ${where}
    order by ${orderOf(sort, columns)} u.id limit ${limit} offset ${offset}`;
  return { total, rows };
}

/** Attributes that have the same name in a person's record and in SCIM. */
export const CORE_ATTRIBUTES = [
  'displayName',
  'nickName',
  'profileUrl',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
] as const;
/** The same, in the enterprise extension. */
export const ENTERPRISE_ATTRIBUTES = personAttributes.flatMap(([, { enterprise }]) => enterprise?.name ?? []);
export const EXTRA_LISTS = ['phoneNumbers', 'ims', 'photos', 'addresses'] as const;

const text = (of: Sql, isExact = false): Column => ({ is: 'text', text: of, isExact });
const attribute = (name: string) => sql`
  case when jsonb_typeof(u.attributes->${sql.lit(name)}) in ('string', 'number', 'boolean')
    then nullif(u.attributes->>${sql.lit(name)}, '') end`;
const extraName = (name: string) => sql`s.extra->'name'->>${sql.lit(name)}`;

/** All emails of a person: the work email and the others from the client. */
const otherEmails = sql`coalesce(s.extra->'emails', '[]')`;
const emails = sql`(jsonb_build_array(jsonb_build_object('value', u.email, 'type', 'work', 'primary',
  not ${otherEmails} @> '[{"primary": true}]')) || ${otherEmails})`;

function userColumnsOf(org: Org): Columns {
  const emailList = jsonList(emails, find(User.attributes, 'emails') ?? missing());
  const simple: Record<string, Column> = {
    id: { is: 'id', id: sql`u.id` },
    externalId: text(sql`s.external_id`, true),
    'meta.resourceType': text(sql`'User'::text`, true),
    'meta.created': { is: 'time', time: sql`u.created_at` },
    'meta.lastModified': { is: 'time', time: sql`greatest(u.updated_at, s.updated_at)` },
    userName: text(sql`u.username`),
    'name.givenName': text(sql`nullif(u.first_name, '')`),
    'name.familyName': text(sql`nullif(u.last_name, '')`),
    'name.formatted': text(sql`coalesce(${extraName('formatted')}, ${fullName('u')})`),
    'name.middleName': text(extraName('middleName')),
    'name.honorificPrefix': text(extraName('honorificPrefix')),
    'name.honorificSuffix': text(extraName('honorificSuffix')),
    active: { is: 'boolean', boolean: sql`(u.status = 'active')` },
    emails: {
      ...emailList,
      // Finds candidates by index. The comparison of their elements decides.
      quick: (value) => sql`u.id = any(array(
        select one.id from platform_user one
        where one.org_id = ${org.orgId} and ${emailKey(sql`one.email`)} = ${emailKey(sql`${value}::text`)}
        union all
        select one.user_id from person_source one where one.org_id = ${org.orgId} and one.extra ? 'emails'))`,
    },
    groups: {
      is: 'list',
      from: (where) => sql`exists (
        select from person_group_member gm join person_group g on g.org_id = ${org.orgId} and g.id = gm.group_id
        where gm.org_id = ${org.orgId} and gm.user_id = u.id and ${where})`,
      parts: {
        value: { is: 'id', id: sql`g.id` },
        display: text(sql`g.display_name`),
        type: text(sql`'direct'::text`),
      },
    },
    'ext:manager.value': { is: 'id', id: sql`u.manager_id` },
    'ext:manager.displayName': text(
      sql`(select ${shownName('m')} from platform_user m where m.org_id = ${org.orgId} and m.id = u.manager_id)`,
    ),
  };
  for (const name of CORE_ATTRIBUTES) simple[name] = text(attribute(name));
  for (const name of ENTERPRISE_ATTRIBUTES) simple[`ext:${name}`] = text(attribute(name));
  for (const name of EXTRA_LISTS)
    simple[name] = jsonList(
      sql`coalesce(s.extra->${sql.lit(name)}, '[]')`,
      find(User.attributes, name) ?? missing(),
    );
  return columnsOf(simple);
}

const missing = (): never => {
  throw new Error('The schema has no such attribute.');
};

const columnsOf =
  (simple: Record<string, Column>): Columns =>
  ({ extension, attribute, sub }) => {
    if (attribute === undefined) return undefined;
    const prefix = extension ? 'ext:' : '';
    const whole = simple[`${prefix}${attribute.name}`];
    if (whole?.is === 'list') return whole;
    return sub === undefined ? whole : simple[`${prefix}${attribute.name}.${sub.name}`];
  };

function orderOf(sort: Search['sort'], columns: Columns): Sql {
  if (sort === undefined) return sql``;
  const by = sortable(sort.by, columns);
  return by === undefined ? sql`` : sql`${by} ${sort.descending ? sql`desc` : sql`asc`},`;
}

/** Returns the sort expression for a place. Emails sort by the work email. Other lists cannot be sorted by. */
function sortable({ extension, attribute, sub }: Place, columns: Columns): Sql | undefined {
  if (attribute?.name === 'emails') return sql`lower(u.email) collate "C"`;
  const part =
    attribute?.type === 'complex' && sub === undefined ? find(attribute.subAttributes ?? [], 'value') : sub;
  const column = columns({ extension, attribute, sub: part });
  switch (column?.is) {
    case 'id':
      return column.id;
    case 'text':
      return column.isExact ? sql`${column.text} collate "C"` : sql`lower(${column.text}) collate "C"`;
    case 'boolean':
      return column.boolean;
    case 'time':
      return column.time;
    default:
      return undefined;
  }
}

const groupColumns = sql`g.id, g.display_name, g.external_id, g.version::float8 as version, g.created_at, g.updated_at`;

const members = (org: Org) => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('value', m.id, 'display', ${shownName('m')}) order by m.id), '[]')
  from person_group_member gm join platform_user m on m.org_id = ${org.orgId} and m.id = gm.user_id
  where gm.org_id = ${org.orgId} and gm.group_id = g.id)`;

export const findGroup = (db: OrgDb, id: string, withMembers: boolean) => one<GroupRow>(db)`
    select ${groupColumns}${withMembers ? sql`, ${members(db)} as members` : sql``}
    from person_group g where g.org_id = ${db.orgId} and g.id = ${id}`;

/** The most members in one page of groups. A larger group is a page of its own. */
const MOST_MEMBERS = 100_000;

export async function searchGroups(
  db: OrgDb,
  { filter, sort, offset, limit }: Search,
  withMembers: boolean,
): Promise<{ total: number; rows: GroupRow[] }> {
  const columns = groupColumnsOf(db);
  const matches = filter === undefined ? sql`true` : conditionOf(filter, columns);
  const where = sql`g.org_id = ${db.orgId} and ${matches}`;
  const total = await value<number>(db)`select count(*)::float8 as n from person_group g where ${where}`;
  if (limit === 0 || offset >= total) return { total, rows: [] };
  const size = withMembers
    ? sql`(select count(*)::float8 from person_group_member gm where gm.org_id = ${db.orgId} and gm.group_id = g.id)`
    : sql`0`;
  const found = await many<GroupRow & { size: number }>(db)`
    select ${groupColumns}, ${size} as size
    from person_group g where ${where}
    order by ${orderOf(sort, columns)} g.id limit ${limit} offset ${offset}`;
  const rows: GroupRow[] = [];
  let read = 0;
  for (const { size, ...row } of found) {
    read += size;
    if (rows.length > 0 && read > MOST_MEMBERS) break;
    const whole = withMembers ? await findGroup(db, row.id, true) : row;
    if (whole !== undefined) rows.push(whole);
  }
  return { total, rows };
}

const memberParts: Record<string, Column> = {
  value: { is: 'id', id: sql`m.id` },
  display: text(shownName('m')),
  type: text(sql`'User'::text`),
};

function groupColumnsOf(org: Org): Columns {
  const isIn = (where: Sql) => sql`exists (
    select from person_group_member gm join platform_user m on m.org_id = ${org.orgId} and m.id = gm.user_id
    where gm.org_id = ${org.orgId} and gm.group_id = g.id and ${where})`;
  return columnsOf({
    id: { is: 'id', id: sql`g.id` },
    externalId: text(sql`g.external_id`, true),
    displayName: text(sql`g.display_name`),
    'meta.resourceType': text(sql`'Group'::text`, true),
    'meta.created': { is: 'time', time: sql`g.created_at` },
    'meta.lastModified': { is: 'time', time: sql`g.updated_at` },
    members: {
      is: 'list',
      from: isIn,
      parts: memberParts,
    },
  });
}

/** Returns the ids of the members of a group that match a filter of `members[...]`. */
export const membersMatching = (db: OrgDb, groupId: string, filter: ElementFilter) => values<string>(db)`
    select m.id from person_group_member gm join platform_user m on m.org_id = ${db.orgId} and m.id = gm.user_id
    where gm.org_id = ${db.orgId} and gm.group_id = ${groupId}
      and ${elementCondition(filter, memberParts)}`;
