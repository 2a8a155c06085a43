import { type Fields, plainFields } from '#kit/cel-fields.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { timeZoneOf, todayOf } from '#kit/identity.ts';
import { exists, one, type RawBuilder, sql } from '#kit/sql.ts';
import { isOnLeave } from './leave-facts.ts';

const DAYS = new Set(['start_date', 'end_date']);

/** The names of the groups of a person, sorted. `person` is the alias of platform_user. */
const groupNames = (person: string, org: Org): RawBuilder<unknown> => sql`array(
  select g.display_name from person_group_member m
  join person_group g on g.org_id = ${org.orgId} and g.id = m.group_id
  where m.org_id = ${org.orgId} and m.user_id = ${sql.ref(`${person}.id`)} order by g.display_name collate "C")`;

/**
 * The columns of a person as conditions see them (`user` in CEL), for a select list: the fields of the API, with the
 * id as `id`. `person` is the alias of platform_user. The type of a row is Profile (directory/people/person.ts), or a part of it if
 * `only` names the fields.
 */
export const personFields = (
  person: string,
  org: Org,
  only: readonly string[] = Object.keys(PERSON_FIELDS),
): RawBuilder<unknown> => {
  const column = (name: string) => sql.ref(`${person}.${name}`);
  return sql.join(
    only.map((name) => {
      if (name === 'on_leave') return sql`${isOnLeave(org, person)} as on_leave`;
      if (name === 'groups') return sql`${groupNames(person, org)} as groups`;
      if (name === 'manager') return sql`${column('manager_id')} as manager`;
      return DAYS.has(name) ? sql`to_char(${column(name)}, 'YYYY-MM-DD') as ${sql.id(name)}` : column(name);
    }),
  );
};

/** The same fields, for the check of a condition. Attributes can have any name. */
export const PERSON_FIELDS: Fields = {
  ...plainFields(
    'id',
    'username',
    'email',
    'first_name',
    'last_name',
    'identity_type',
    'domain_type',
    'manager',
  ),
  ...plainFields('status', 'role', 'start_date', 'end_date', 'groups'),
  on_leave: 'bool',
  attributes: 'any',
};

/** When the person with this alias, who is deactivated, was last active. Null if that is not on record. */
export const inactiveSince = (org: Org, person: string): RawBuilder<Date | null> => sql`(
  select max(period.ended_at) from person_period period
  where period.org_id = ${org.orgId} and period.user_id = ${sql.ref(`${person}.id`)} and period.status = 'active')`;

/** The status that a person had at a time. Null: the person did not exist. `userId` and `at` are SQL expressions. */
export const statusAt = (
  org: Org,
  userId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<string | null> => sql`coalesce((
  select latest.status from platform_user latest
  where latest.org_id = ${org.orgId} and latest.id = ${userId} and latest.updated_at <= ${at}), (
  select case when period.since <= ${at} then period.status end from person_period period
  where period.org_id = ${org.orgId} and period.user_id = ${userId} and period.ended_at > ${at}
  order by period.ended_at limit 1))`;

/** The days between which somebody works here, and today, in the organization's time zone (D85). */
export interface WorkingDays {
  start_date: string | null;
  end_date: string | null;
  today: string;
  /** The beginning of the first day. */
  starts_at: Date | null;
}

export const workingDaysOf = (db: OrgDb, userId: string) => one<WorkingDays>(db)`
    select to_char(u.start_date, 'YYYY-MM-DD') as start_date, to_char(u.end_date, 'YYYY-MM-DD') as end_date,
      to_char(${todayOf(db)}, 'YYYY-MM-DD') as today,
      u.start_date::timestamp at time zone ${timeZoneOf(db)} as starts_at
    from platform_user u
    where u.org_id = ${db.orgId} and u.id = ${userId}`;

/** Whether the person with this alias is deactivated or past their end date (UTC). Null: they do not exist, as after a left join. */
export const hasLeft = (
  person: string,
): RawBuilder<boolean> => sql`(${sql.ref(`${person}.status`)} = 'deactivated'
  or ${sql.ref(`${person}.end_date`)} < (select (clock_now() at time zone 'UTC')::date))`;

/** Whether the last day of somebody has passed. */
export const hasEnded = ({ end_date, today }: Pick<WorkingDays, 'end_date' | 'today'>): boolean =>
  end_date !== null && end_date < today;

/** Whether the first day of somebody lies ahead. */
export const hasNotStarted = ({ start_date, today }: Pick<WorkingDays, 'start_date' | 'today'>): boolean =>
  start_date !== null && start_date > today;

/** Whether the person with this alias came back under another id of their provider, and has not left since (D63). */
export const isBackAsAnother = (org: Org, person: string): RawBuilder<boolean> => sql`exists (
  select from person_source s
  where s.org_id = ${org.orgId} and s.user_id = ${sql.ref(`${person}.id`)} and s.former_id is not null)`;

/** Whether a person was inactive before, as far as the history reaches. */
export const wasEverInactive = (db: OrgDb, userId: string) => exists(db)`
    select from person_period where org_id = ${db.orgId} and user_id = ${userId} and status <> 'active' limit 1`;

/** A person as lists of people show them. */
export interface PersonName {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
}

/** Replaces the ids in stored counts of undecided people (undecided.ts) by the people who still exist. */
export const withNames = (
  org: Org,
  counts: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`jsonb_set(${counts}, '{people}', (
  select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'email', u.email, 'first_name', u.first_name,
    'last_name', u.last_name) order by stored.i), '[]')
  from jsonb_array_elements_text(${counts} -> 'people') with ordinality as stored (id, i)
  join platform_user u on u.org_id = ${org.orgId} and u.id = stored.id::uuid))`;

/** A person to whom a decision can be handed over. */
export interface Candidate {
  id: string;
  /** Empty if the record has no name. */
  name: string;
  email: string;
}

/** The data that an identity provider keeps of a person (D50). */
export interface PersonSource {
  external_id: string | null;
  /** The fields that only the provider changes, named as in changes, such as `attributes.department`. */
  owned: string[];
  /**
   * SCIM attributes that a person's record has no field for, and `active` as the provider last wrote it: a person can be
   * deactivated by hand.
   */
  extra: Record<string, unknown>;
  /** Whether the provider deleted the person. They stay, deactivated, until it creates them again. */
  deleted: boolean;
  /** The external id under which the person had left, if they came back under another one and have not left since (D63). */
  former_id: string | null;
}

export const findSource = (db: OrgDb, userId: string) => one<PersonSource>(db)`
    select external_id, owned, extra, deleted_at is not null as deleted, former_id from person_source
    where org_id = ${db.orgId} and user_id = ${userId}`;
