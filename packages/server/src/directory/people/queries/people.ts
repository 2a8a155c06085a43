import { isCluster, type Org, type OrgDb, type OrgTx, type Tx } from '#kit/database.ts';
import { emailKey, takeTurnsIn } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import {
  countFor,
  exists,
  many,
  one,
  type RawBuilder,
  run,
  sql,
  type ValuesOf,
  value,
  values,
  writeMany,
} from '#kit/sql.ts';
import { spellingsOf } from '../../../../../protocol/src/person-attributes.ts';
import { peopleFilters } from '../filters.ts';
import { isOnLeave, leaveDays } from '../leave-facts.ts';
import type { Person, PersonSort, Profile } from '../person.ts';
import type { FieldChange } from '../schemas.ts';
import { forgetMember } from './groups.ts';
import { differ, formerState, keepStates, laterThan, presentTime } from './history.ts';
import { asciiSkeleton, refreshShared, valuesOf } from './shared-values.ts';
import { deleteSource, groupsOf, sourcesOf, wasDeletedByScim } from './sources.ts';

/** Total orders (D9). */
const ORDER: Record<PersonSort, RawBuilder<unknown>> = {
  created: sql`u.id`,
  '-created': sql`u.id desc`,
  email: sql`${emailKey(sql`u.email`)}, u.id`,
  '-email': sql`${emailKey(sql`u.email`)} desc, u.id`,
};

const profile = sql`u.id, u.username, u.email, u.first_name, u.last_name, u.identity_type, u.domain_type,
  u.manager_id as manager, u.status, u.role, u.attributes,
  to_char(u.start_date, 'YYYY-MM-DD') as start_date, to_char(u.end_date, 'YYYY-MM-DD') as end_date, u.merged_into,
  u.succeeded_by`;
const person = sql`${profile}, u.created_at, u.updated_at`;
/** A person as the API shows them. */
const shown = (org: Org) =>
  sql`${person}, ${isOnLeave(org, 'u')} as on_leave, ${leaveDays(org, 'u')}, ${groupsOf('u', org)} as groups,
    ${sourcesOf('u', org)} as sources`;

/** The columns of a Person, with `u` for platform_user. */
export const personColumns = person;

export async function insertFirstAdministrator(tx: OrgTx, email: string): Promise<string> {
  return value<string>(tx)`
    insert into platform_user (org_id, email, username, role) values (${tx.orgId}, ${email}, ${email}, 'owner')
    returning id`;
}

/**
 * Makes writers of an organization's people wait for each other, so that two of them cannot form a management loop or
 * remove the last owner together.
 */
export const lockPeople = (tx: OrgTx): Promise<void> => takeTurnsIn(tx);

/** Locks a person who is to be deleted. Nothing can start to reference them until the transaction ends. */
export const lockPerson = (tx: OrgTx, id: string) => one<Person>(tx)`
    select ${person} from platform_user u where u.org_id = ${tx.orgId} and u.id = ${id} for update`;

/** Locks people who are to be merged. Others can still refer to them. */
export const lockPair = (tx: OrgTx, ids: string[]) => many<Person>(tx)`
    select ${person} from platform_user u where u.org_id = ${tx.orgId} and u.id = any(${ids}::uuid[])
    order by u.id for no key update`;

/** The outcome of a merge, which a caller who repeats it gets again. */
export interface MergeOutcome {
  /** The changes of the person who remains. */
  changes: FieldChange[];
  moved: Record<string, number>;
}

/** Marks a person as merged. Those who were merged into them earlier now stand for the same person. */
export async function setMerged(tx: OrgTx, fromId: string, intoId: string, outcome: object): Promise<void> {
  await run(tx)`
    update platform_user set merged_into = ${intoId}, merge_result = ${JSON.stringify(outcome)}::jsonb
    where org_id = ${tx.orgId} and id = ${fromId}`;
  await run(tx)`
    update platform_user set merged_into = ${intoId}
    where org_id = ${tx.orgId} and merged_into = ${fromId}`;
  await refreshShared(tx, [fromId], []);
}

export const findMergeOutcome = (tx: OrgTx, id: string) => value<MergeOutcome>(tx)`
    select merge_result as outcome from platform_user where org_id = ${tx.orgId} and id = ${id}`;

/** Passes the email of a person to another one, or gives it back: the caller has made sure that nobody else has it. */
export async function setSucceeded(tx: OrgTx, formerId: string, successorId: string | null): Promise<void> {
  await run(tx)`
    update platform_user set succeeded_by = ${successorId}, updated_at = ${laterThan(sql`updated_at`, presentTime)}
    where org_id = ${tx.orgId} and id = ${formerId}`;
  await refreshShared(tx, [formerId], []);
}

/** Returns whether somebody was merged into this person. */
export const hasMerged = (tx: OrgTx, id: string) => exists(tx)`
    select from platform_user where org_id = ${tx.orgId} and merged_into = ${id} limit 1`;

export const findPerson = (db: OrgDb, id: string) => one<Person>(db)`
    select ${shown(db)} from platform_user u where u.org_id = ${db.orgId} and u.id = ${id}`;

/** Returns how many of `ids` are people of the organization. */
export const countPeople = (db: OrgDb, ids: string[]) => value<number>(db)`
    select count(*) as n from platform_user where org_id = ${db.orgId} and id = any(${ids}::uuid[])`;

export interface PersonList extends ValuesOf<typeof peopleFilters> {
  sort?: PersonSort;
}

/** Lists people. `only`: at most this one; null: all. */
export async function listPeople(
  db: OrgDb,
  { only, sort = 'created', ...filter }: PersonList & { only: string | null },
  page: Page,
): Promise<Slice<Person>> {
  const others = [sql`u.org_id = ${db.orgId}`, ...(only === null ? [] : [sql`u.id = ${only}`])];
  const where = peopleFilters.where(db, { merged: false, ...filter }, ...others);
  const counted = await countFor(db, page)`select from platform_user u where ${where}`;
  const rows = await many<Person>(db)`
    select ${shown(db)} from platform_user u where ${where}
    order by ${ORDER[sort]} limit ${page.limit} offset ${page.offset}`;
  return { ...counted, results: rows };
}

/**
 * Updates the planner's statistics. An import joins as many rows as the table has, and the planner's default estimates
 * for a table that was never analyzed (PGlite does not do it by itself) make that join quadratic.
 */
export async function analyzePeople(tx: Tx): Promise<void> {
  // Over several connections, the transaction could not read reference tables afterwards.
  if (isCluster(tx)) await run(tx)`set local citus.multi_shard_modify_mode = 'sequential'`;
  await run(tx)`analyze platform_user`;
}

/** Returns, for each email in order, its comparison key and the person who has it (all null if nobody does). */
export const findByEmails = (db: OrgDb, emails: string[]) => many<{ key: string } & (Profile | { id: null })>(
  db,
)`
    select ${emailKey(sql`given.email`)} as key, ${profile}, ${leaveDays(db, 'u')}
    from unnest(${emails}::text[]) with ordinality as given (email, i)
    left join platform_user u on u.org_id = ${db.orgId} and ${emailKey(sql`u.email`)} = ${emailKey(sql`given.email`)}
      and u.succeeded_by is null
    order by given.i`;

/** Returns the person with this email whom a provider deleted, and who is not active. Gatehouse keeps them for the history. */
export const findDeletedByEmail = (tx: OrgTx, email: string) => one<Profile>(tx)`
    select ${profile} from platform_user u
    where u.org_id = ${tx.orgId} and ${emailKey(sql`u.email`)} = ${emailKey(sql`${email}::text`)}
      and u.succeeded_by is null and u.merged_into is null and u.status <> 'active' and ${wasDeletedByScim('u', tx)}`;

/** Returns the people with one of these values, in NFC, in an attribute in any spelling, each with that value. Merged people are missing. */
export const findByAttribute = (db: OrgDb, name: string, values: string[]) => many<
  Profile & { value: string }
>(db)`
    select given.value, ${profile}, ${leaveDays(db, 'u')}
    from unnest(${values}::text[]) as given (value)
    join platform_user u on u.org_id = ${db.orgId}
      and normalize(coalesce(${sql.join(
        [name, name.normalize('NFD'), ...spellingsOf(name)].map((one) => sql`u.attributes ->> ${one}`),
      )}), NFC) = given.value
    where u.merged_into is null
    order by u.id`;

/** Returns the emails of people by their ids. */
export async function emailsOf(tx: OrgTx, ids: string[]): Promise<Map<string, string>> {
  const rows = await many<{ id: string; email: string }>(tx)`
    select id, email from platform_user where org_id = ${tx.orgId} and id = any(${ids}::uuid[])`;
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Returns these people and everyone above them, each with their manager. */
export const managersFrom = (db: OrgDb, ids: string[]) => many<{ id: string; manager: string | null }>(db)`
    with recursive chain as (
      select u.id, u.manager_id from platform_user u where u.org_id = ${db.orgId} and u.id = any(${ids}::uuid[])
      union
      select u.id, u.manager_id from chain c join platform_user u on u.org_id = ${db.orgId} and u.id = c.manager_id
    )
    select id, manager_id as manager from chain`;

export const reportsOf = (tx: OrgTx, managerId: string) => many<Profile>(tx)`
    select ${profile} from platform_user u where u.org_id = ${tx.orgId} and u.manager_id = ${managerId} order by u.id`;

export const activeOwners = (tx: OrgTx) => values<string>(tx)`
    select id from platform_user where org_id = ${tx.orgId} and role = 'owner' and status = 'active'`;

/**
 * Inserts people whose id is new and updates the others that differ, in one statement. `people` are profiles as JSON. The
 * former states go to the history.
 */
export async function upsertPeople(tx: OrgTx, people: readonly string[]): Promise<void> {
  const list = `[${people.join(',')}]`;
  const upsert = (end: RawBuilder<unknown>) => sql`
    with changed as (
      insert into platform_user as u (org_id, id, username, email, first_name, last_name, identity_type, domain_type,
        manager_id, status, role, attributes, start_date, end_date, email_skeleton, created_at, updated_at)
      select ${tx.orgId}, p.id, p.username, p.email, p.first_name, p.last_name, p.identity_type, p.domain_type,
        p.manager, p.status, p.role, p.attributes, p.start_date, p.end_date, p.email_skeleton, t.at, t.at
      -- The offset keeps the planner from reading the clock for each row.
      from (select ${presentTime} as at offset 0) t, json_to_recordset(${list}::json) as p (
        id uuid, username text, email text, first_name text, last_name text, identity_type text, domain_type text,
        manager uuid, status text, role text, attributes jsonb, start_date date, end_date date,
        email_skeleton text)
      on conflict (org_id, id) do update set username = excluded.username, email = excluded.email,
        first_name = excluded.first_name, last_name = excluded.last_name, identity_type = excluded.identity_type,
        domain_type = excluded.domain_type, manager_id = excluded.manager_id, status = excluded.status,
        role = excluded.role, attributes = excluded.attributes, start_date = excluded.start_date,
        end_date = excluded.end_date, email_skeleton = excluded.email_skeleton,
        succeeded_by = case when excluded.status <> 'active'
          and ${emailKey(sql`u.email`)} = ${emailKey(sql`excluded.email`)} then u.succeeded_by end,
        updated_at = ${laterThan(sql`u.updated_at`, sql`excluded.updated_at`)}
      where ${differ('u', 'excluded')}
      returning ${formerState}
    ) ${keepStates(tx, sql`changed`)} ${end}`;
  await writeMany(tx, people.length, (end) => upsert(end).execute(tx));
}

export const peopleWithoutSkeleton = (tx: OrgTx) => many<{ id: string; email: string }>(tx)`
    select id, email from platform_user
    where org_id = ${tx.orgId} and email_skeleton is null and octet_length(email) <> char_length(email)`;

export async function setSkeletons(tx: OrgTx, people: { id: string; skeleton: string }[]): Promise<void> {
  const ids = people.map(({ id }) => id);
  const former = await valuesOf(tx, ids);
  await run(tx)`
    update platform_user u set email_skeleton = p.skeleton
    from unnest(${ids}::uuid[], ${people.map(({ skeleton }) => skeleton)}::text[])
      as p (id, skeleton)
    where u.org_id = ${tx.orgId} and u.id = p.id`;
  await refreshShared(tx, ids, former);
}

/** Returns whether anyone's email goes beyond ASCII. */
export const hasSkeletons = (tx: OrgTx) => exists(tx)`
    select from platform_user where org_id = ${tx.orgId} and email_skeleton is not null limit 1`;

/** Returns the people whose emails have one of the `skeletons` beyond ASCII, or one of `inAscii` within ASCII. */
export const peopleLooking = (tx: OrgTx, skeletons: string[], inAscii: string[]) => many<{
  id: string;
  email: string;
  skeleton: string;
}>(tx)`
    select u.id, u.email, u.email_skeleton as skeleton from platform_user u
    where u.org_id = ${tx.orgId} and u.email_skeleton = any(${skeletons}::text[])
    union all
    select u.id, u.email, ${asciiSkeleton} from platform_user u
    where u.org_id = ${tx.orgId} and cardinality(${inAscii}::text[]) > 0 and u.email_skeleton is null
      and ${asciiSkeleton} = any(${inAscii}::text[])`;

/**
 * Ends the last state of a person who is about to be deleted and keeps it in the history. Deactivates them, so that
 * nothing treats them as active in the meantime.
 */
export const endPerson = (tx: OrgTx, id: string) => run(tx)`
    with changed as (
      update platform_user u set status = 'deactivated', updated_at = ${laterThan(sql`u.updated_at`)}
      where u.org_id = ${tx.orgId} and u.id = ${id}
      returning ${formerState}
    ) ${keepStates(tx, sql`changed`)}`;

/** Deletes a person after endPerson. */
export async function deletePerson(tx: OrgTx, id: string): Promise<void> {
  await forgetMember(tx, id);
  await deleteSource(tx, id);
  const former = await valuesOf(tx, [id]);
  await run(tx)`delete from platform_user where org_id = ${tx.orgId} and id = ${id}`;
  await refreshShared(tx, [], former);
}
