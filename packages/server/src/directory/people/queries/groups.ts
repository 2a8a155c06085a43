import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, one, run, sql, values } from '#kit/sql.ts';
import { groupColumns } from '../group-facts.ts';
import type { Profile } from '../person.ts';
import type { GroupRole, PersonGroup } from '../schemas.ts';

export const findGroup = (db: OrgDb, id: string) => one<PersonGroup>(db)`
    select ${groupColumns} from person_group g where g.org_id = ${db.orgId} and g.id = ${id}`;

/** Inserts a group, or updates it and raises its version. `keyId` is the client that keeps it. Undefined: it stays. */
export async function upsertGroup(
  tx: OrgTx,
  group: Pick<PersonGroup, 'id' | 'display_name' | 'external_id' | 'role'>,
  keyId?: string | null,
): Promise<void> {
  const now = new Date().toISOString();
  await run(tx)`
    insert into person_group as g (org_id, id, display_name, external_id, role, created_at, updated_at, key_id)
    values (${tx.orgId}, ${group.id}, ${group.display_name}, ${group.external_id}, ${group.role},
      ${now}::timestamptz, ${now}::timestamptz, ${keyId ?? null})
    on conflict (org_id, id) do update set display_name = excluded.display_name,
      external_id = excluded.external_id, role = excluded.role, version = g.version + 1,
      key_id = ${keyId === undefined ? sql`g.key_id` : sql`excluded.key_id`},
      updated_at = greatest(excluded.updated_at, g.updated_at)`;
}

/** Notes which client keeps a group. The version of the group stays. */
export const setClient = (tx: OrgTx, id: string, keyId: string | null) =>
  run(tx)`update person_group set key_id = ${keyId} where org_id = ${tx.orgId} and id = ${id}`;

export async function deleteGroup(tx: OrgTx, id: string): Promise<void> {
  await run(tx)`delete from person_group_member where org_id = ${tx.orgId} and group_id = ${id}`;
  await run(tx)`delete from person_group where org_id = ${tx.orgId} and id = ${id}`;
}

/** Adds people to a group. `isNew`: the group is being created with them. */
export const addMembers = (tx: OrgTx, id: string, people: string[], { isNew }: { isNew: boolean }) => run(tx)`
    insert into person_group_member (org_id, group_id, user_id, joined_at)
    select ${tx.orgId}::uuid, ${id}::uuid, p.id, ${isNew ? sql`null::timestamptz` : sql`clock_now()`} from unnest(${people}::uuid[]) as p (id)
    on conflict do nothing`;

/** Returns when people joined a group (null: with its creation), or all its members if `people` is undefined. */
export async function joinedAt(
  tx: OrgTx,
  id: string,
  people?: readonly string[],
): Promise<Map<string, Date | null>> {
  const rows = await many<{ user_id: string; joined_at: Date | null }>(tx)`
    select user_id, joined_at from person_group_member
    where org_id = ${tx.orgId} and group_id = ${id}
      ${people === undefined ? sql`` : sql`and user_id = any(${people}::uuid[])`}`;
  return new Map(rows.map(({ user_id, joined_at }) => [user_id, joined_at]));
}

/** Keeps for members who are back when they had joined before. */
export async function keepJoinedAt(
  tx: OrgTx,
  id: string,
  joined: ReadonlyMap<string, Date | null>,
): Promise<void> {
  const times = [...joined.values()].map((time) => time?.toISOString() ?? null);
  await run(tx)`
    update person_group_member m set joined_at = p.joined_at
    from unnest(${[...joined.keys()]}::uuid[], ${times}::timestamptz[]) as p (id, joined_at)
    where m.org_id = ${tx.orgId} and m.group_id = ${id} and m.user_id = p.id`;
}

/** Removes people from a group. */
export const removeMembers = (tx: OrgTx, id: string, people: string[]) => run(tx)`
    delete from person_group_member
    where org_id = ${tx.orgId} and group_id = ${id} and user_id = any(${people}::uuid[])`;

/** Returns the ids of the members of a group, or of those among `people`. */
export const memberIds = (db: OrgDb, id: string, people?: string[]) => values<string>(db)`
    select user_id from person_group_member
    where org_id = ${db.orgId} and group_id = ${id}
      ${people === undefined ? sql`` : sql`and user_id = any(${people}::uuid[])`}`;

/** The effect of groups on a person: the names of their groups, and the highest role that these give. */
export interface Standing {
  names: string[];
  role: GroupRole | null;
}

/** Returns the standing of people, by id. Those without groups are missing. */
export async function standings(tx: OrgTx, ids: string[]): Promise<Map<string, Standing>> {
  const rows = await many<Standing & { user_id: string }>(tx)`
    select m.user_id, array_agg(g.display_name order by g.display_name collate "C") as names,
      case min(case when g.role = 'admin' then 1 when g.role = 'auditor' then 2 when g.role = 'member' then 3 end)
        when 1 then 'admin' when 2 then 'auditor' when 3 then 'member' end as role
    from person_group_member m
    join person_group g on g.org_id = ${tx.orgId} and g.id = m.group_id
    where m.org_id = ${tx.orgId} and m.user_id = any(${ids}::uuid[])
    group by m.user_id`;
  return new Map(rows.map(({ user_id, ...standing }) => [user_id, standing]));
}

/** Returns the roles of people before groups gave them a higher one, by id. The others are missing. */
export async function rolesBeforeGroups(tx: OrgTx, ids: string[]): Promise<Map<string, Profile['role']>> {
  const rows = await many<{ id: string; role: Profile['role'] }>(tx)`
    select u.id, u.role_before_groups as role from platform_user u
    where u.org_id = ${tx.orgId} and u.id = any(${ids}::uuid[]) and u.role_before_groups is not null`;
  return new Map(rows.map(({ id, role }) => [id, role]));
}

export const setRolesBeforeGroups = (
  tx: OrgTx,
  people: { id: string; role: Profile['role'] | null }[],
) => run(tx)`
    update platform_user u set role_before_groups = p.role
    from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ role }) => role)}::text[]) as p (id, role)
    where u.org_id = ${tx.orgId} and u.id = p.id`;

/** Returns people by id. */
export const profilesOf = (tx: OrgTx, ids: string[]) => many<Profile>(tx)`
    select u.id, u.username, u.email, u.first_name, u.last_name, u.identity_type, u.domain_type,
      u.manager_id as manager, u.status, u.role, u.attributes,
      to_char(u.start_date, 'YYYY-MM-DD') as start_date, to_char(u.end_date, 'YYYY-MM-DD') as end_date,
      u.merged_into
    from platform_user u
    where u.org_id = ${tx.orgId} and u.id = any(${ids}::uuid[])`;

/**
 * Returns those of `ids` who can join groups: people who were neither merged, succeeded nor deleted by the identity provider. Joins no
 * list of ids, since the planner makes such a join quadratic in tables that were never analyzed.
 */
export async function eligibleAmong(tx: OrgTx, ids: string[]): Promise<Set<string>> {
  const rows = await many<{ id: string }>(tx)`
    select u.id from platform_user u
    where u.org_id = ${tx.orgId} and u.id = any(${ids}::uuid[]) and u.merged_into is null and u.succeeded_by is null
      and (select s.deleted_at from person_source s where s.org_id = ${tx.orgId} and s.user_id = u.id) is null`;
  return new Set(rows.map(({ id }) => id));
}

/** Raises the versions of the groups of a person who is about to be deleted, and removes the person from them. */
export async function forgetMember(tx: OrgTx, userId: string): Promise<void> {
  await run(tx)`
    update person_group g set version = g.version + 1
    where g.org_id = ${tx.orgId} and g.id in (
      select m.group_id from person_group_member m where m.org_id = ${tx.orgId} and m.user_id = ${userId})`;
  await run(tx)`delete from person_group_member where org_id = ${tx.orgId} and user_id = ${userId}`;
}
