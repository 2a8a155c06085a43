import type { Org, OrgDb } from '#kit/database.ts';
import { many, one, type RawBuilder, sql } from '#kit/sql.ts';
import type { Person } from '../person.ts';

/*
 * Fragments of the statements that change people. A row of platform_user is the present state, which began at
 * updated_at. A statement that changes a person copies the former state to person_period:
 *
 *   with changed as (update platform_user u set ..., updated_at = ${laterThan(sql`u.updated_at`)} ... returning ${formerState})
 *   ${keepStates(orgId, sql`changed`)}
 */

const STATE = [
  'email',
  'username',
  'first_name',
  'last_name',
  'role',
  'status',
  'identity_type',
  'domain_type',
  'manager_id',
  'attributes',
  'start_date',
  'end_date',
] as const;

const columns = (prefix = '') => sql.join(STATE.map((name) => sql.ref(`${prefix}${name}`)));

/** The present time with milliseconds, like the times in responses. */
export const presentTime = sql`date_trunc('milliseconds', clock_now())`;

/** The time of a change at `now` that follows one at `time`. It is later even if the clock was set back. */
export const laterThan = (time: RawBuilder<unknown>, now = presentTime): RawBuilder<unknown> =>
  sql`greatest(${now}, seconds_after(${time}, 0.001))`;

/** Whether two rows with the columns of platform_user, given by their aliases, are different states. */
export const differ = (a: string, b: string): RawBuilder<boolean> =>
  sql`(${columns(`${a}.`)}) is distinct from (${columns(`${b}.`)})`;

/** The former state, for the `returning` of a change of platform_user. All null for a new person. */
export const formerState = sql`
  old.id as was_id, ${sql.join(STATE.map((name) => sql`old.${sql.ref(name)} as ${sql.ref(`was_${name}`)}`))},
  old.created_at as was_created_at, old.updated_at as was_since, new.updated_at as changed_at`;

/** Copies the former states of the rows of `changed` to the history. */
export const keepStates = (org: Org, changed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into person_period (org_id, user_id, ${columns()}, created_at, since, ended_at)
  select ${org.orgId}::uuid, was_id, ${columns('was_')}, was_created_at, was_since, changed_at
  from ${changed} where was_id is not null`;

/** A state of a person. `updated_at` is its beginning. */
export interface PersonState extends Person {
  /** Null for the present state. */
  ended_at: Date | null;
}

/** All states of a person that are on record, as a relation with the fields of PersonState. */
const statesOf = (org: Org, id: string): RawBuilder<unknown> => {
  const fields = sql`username, email, first_name, last_name, identity_type, domain_type, manager_id as manager, status,
    role, attributes, to_char(start_date, 'YYYY-MM-DD') as start_date, to_char(end_date, 'YYYY-MM-DD') as end_date,
    created_at`;
  return sql`(
    select id, ${fields}, updated_at, null::timestamptz as ended_at
    from platform_user where org_id = ${org.orgId} and id = ${id}
    union all
    select user_id, ${fields}, since, ended_at
    from person_period where org_id = ${org.orgId} and user_id = ${id})`;
};

/** Returns the state of a person at a time, in milliseconds since 1970. */
export const findState = (db: OrgDb, id: string, asOf: number) => one<PersonState>(db)`
    select s.* from ${statesOf(db, id)} s, to_timestamp(${asOf}::float8 / 1000) as t (at)
    where s.updated_at <= t.at and (s.ended_at is null or s.ended_at > t.at)`;

/** Returns the number of states, and when the first of them began. */
export async function recordOf(db: OrgDb, id: string): Promise<{ n: number; since: Date | null }> {
  const rows = await many<{ n: number; since: Date | null }>(db)`
    select count(*) as n, min(s.updated_at) as since from ${statesOf(db, id)} s`;
  return rows[0] ?? { n: 0, since: null };
}

/** Returns the states of a person, newest first. */
export const listStates = (
  db: OrgDb,
  id: string,
  { limit, offset }: { limit: number; offset: number },
) => many<PersonState>(db)`
    select * from ${statesOf(db, id)} s order by s.updated_at desc limit ${limit} offset ${offset}`;
