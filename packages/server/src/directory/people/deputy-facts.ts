import type { Org, OrgDb } from '#kit/database.ts';
import { exists, many, type RawBuilder, sql } from '#kit/sql.ts';

const covers = (absence: string, now: RawBuilder<unknown>) =>
  sql`${sql.ref(`${absence}.starts_at`)} <= ${now} and ${sql.ref(`${absence}.ends_at`)} > ${now}`;

/**
 * The people who are away now and their deputies, as a subquery: `absent_id`, `deputy_id`, and `line`, the people from
 * the first deputy to the last.
 *
 * If a deputy is away, too, their deputy takes over, three deputies at most. `deputy_id` is null if all of them are away,
 * one of them on a leave without a deputy, or if one of them, or the absent person, is deactivated or an auditor. Somebody who must not decide must not choose who does: callers also
 * refuse a deputy if anybody in `line` is excluded from the decision.
 *
 * A person has one absence at a time, so that the subquery has one row for each. Select by `absent_id` to use the index.
 */
export const standIns = (org: Org, now: RawBuilder<unknown> = sql`now()`): RawBuilder<unknown> => sql`(
  select a.user_id as absent_id,
    case when d.user_id is null and (b.user_id is null or b.deputy_id is not null) and (c.user_id is null or c.deputy_id is not null)
      and not exists (
      select from platform_user unable
      where unable.org_id = ${org.orgId} and unable.id in (a.user_id, a.deputy_id, b.deputy_id, c.deputy_id)
        and (unable.status <> 'active' or unable.role = 'auditor')
    ) then coalesce(c.deputy_id, b.deputy_id, a.deputy_id) end as deputy_id,
    array_remove(array[a.deputy_id, b.deputy_id, c.deputy_id], null) as line
  from absence a
  left join absence b on b.org_id = ${org.orgId} and b.user_id = a.deputy_id and ${covers('b', now)}
  left join absence c on c.org_id = ${org.orgId} and c.user_id = b.deputy_id and ${covers('c', now)}
  left join absence d on d.org_id = ${org.orgId} and d.user_id = c.deputy_id and ${covers('d', now)}
  where a.org_id = ${org.orgId} and ${covers('a', now)})`;

/** The absences of all organizations that have not ended, as a subquery: `org_id`, `user_id`, `starts_at`. */
export const comingAbsences = sql`(
  select org_id, user_id, starts_at from absence where ends_at > clock_now())`;

/** Whether anybody is away now. Evaluated once for a statement, so that without absences nobody is looked up. */
export const isAnybodyAway = (org: Org): RawBuilder<unknown> => sql`exists (
  select from absence a where a.org_id = ${org.orgId} and ${covers('a', sql`now()`)})`;

/** A person for whom another one decides now. */
export interface Represented {
  absentId: string;
  /** The deputies in the order in which they follow. The last one decides. */
  line: string[];
}

export const representedBy = (db: OrgDb, userId: string) => many<Represented>(db)`
    select away.absent_id as "absentId", away.line::text[] as line
    from ${standIns(db)} as away where away.deputy_id = ${userId} order by away.absent_id`;

/** A person who is away now. */
export interface Absent extends Represented {
  /** Null: without a deputy who can decide. */
  deputyId: string | null;
}

export const absentPeople = (db: OrgDb) => many<Absent>(db)`
    select away.absent_id as "absentId", away.deputy_id as "deputyId", away.line::text[] as line
    from ${standIns(db)} as away order by away.absent_id`;

/** Whether anybody of the organization is away now. */
export const hasAbsentPeople = (db: OrgDb) => exists(db)`
    select from absence where org_id = ${db.orgId} and starts_at <= now() and ends_at > now() limit 1`;
