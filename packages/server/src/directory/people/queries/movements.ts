import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';

/** Where people were at one end of a month. `outside`: not active yet, or no longer. */
type Place = 'outside' | 'department' | 'none' | 'other';

/** People who were in one place before a month and in another after it. */
export interface Movement {
  from_place: Place;
  /** Set if the place is a department. */
  from_department: string | null;
  to_place: Place;
  to_department: string | null;
  people: number;
}

/** Departments that are named, by how many people came or went. The rest are in `other`. */
const MOST_DEPARTMENTS = sql.lit(15);

/**
 * Returns who joined, left, or changed their department in a month, grouped. `month` is its first day in UTC. Somebody
 * whose state before the month is not on record counts as a joiner only if they were added in it. Only people with a
 * change since the month began are read: each former state has ended since then.
 */
export const movementsIn = (db: OrgDb, month: string) => many<Movement>(db)`
    with bounds as materialized (
      select t.begins, least(t.begins + interval '1 month', clock_now() at time zone 'UTC') as ends
      from (select ${month}::timestamp as begins) as t
    ), month as materialized (
      select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends from bounds
    ), former as materialized (
      select p.user_id, p.status, nullif(in_nfc(p.attributes ->> 'department'), '') as department, p.since, p.ended_at
      from person_period p
      where p.org_id = ${db.orgId} and p.ended_at > (select begins from month)
    ), touched as materialized (
      select former.user_id as id from former where former.since < (select ends from month)
      union
      select u.id from platform_user u
      where u.org_id = ${db.orgId} and u.created_at >= (select begins from month) and u.created_at < (select ends from month)
    ), person as materialized (
      select u.id, u.created_at, u.status, nullif(in_nfc(u.attributes ->> 'department'), '') as department, u.updated_at
      from platform_user u
      where u.org_id = ${db.orgId} and u.merged_into is null and u.id in (select touched.id from touched)
    ), state as materialized (
      select former.user_id, former.status, former.department, former.since, former.ended_at from former
      union all
      select person.id, person.status, person.department, person.updated_at, null from person
    ), moved as (
      select person.id,
        coalesce(earlier.status = 'active', false) as was_in, earlier.department as was_department,
        coalesce(later.status = 'active', false) as is_in, later.department as is_department
      from person
      left join state earlier on earlier.user_id = person.id and earlier.since <= (select begins from month)
        and (earlier.ended_at is null or earlier.ended_at > (select begins from month))
      left join state later on later.user_id = person.id and later.since < (select ends from month)
        and (later.ended_at is null or later.ended_at >= (select ends from month))
      where earlier.user_id is not null or person.created_at >= (select begins from month)
    ), changed as materialized (
      select was_in, was_department, is_in, is_department, count(*) as people from moved
      where (was_in or is_in) and (was_in <> is_in or was_department is distinct from is_department)
      group by 1, 2, 3, 4
    ), named as materialized (
      select ends.department from (
        select changed.was_department as department, changed.people from changed where changed.was_in
        union all
        select changed.is_department, changed.people from changed where changed.is_in
      ) as ends
      where ends.department is not null
      group by ends.department order by sum(ends.people) desc, ends.department collate "C" limit ${MOST_DEPARTMENTS}
    ), placed as (
      select
        case when not c.was_in then 'outside' when c.was_department is null then 'none'
          when f.department is null then 'other' else 'department' end as from_place,
        case when c.was_in then f.department end as from_department,
        case when not c.is_in then 'outside' when c.is_department is null then 'none'
          when t.department is null then 'other' else 'department' end as to_place,
        case when c.is_in then t.department end as to_department,
        c.people
      from changed c
      left join named f on f.department = c.was_department
      left join named t on t.department = c.is_department
    )
    select from_place, from_department, to_place, to_department, sum(people)::integer as people
    from placed group by 1, 2, 3, 4
    order by people desc, from_place, from_department collate "C", to_place, to_department collate "C"`;
