import type { Org, OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';

/** People of one department who have an active account in one app. */
export interface DepartmentAccess {
  /** Null: any of the apps that are not named. */
  app_id: string | null;
  app_name: string | null;
  /** `none`: people without a department. `other`: departments that are not named. */
  place: 'department' | 'none' | 'other';
  department: string | null;
  people: number;
}

export interface DepartmentSize {
  place: DepartmentAccess['place'];
  department: string | null;
  people: number;
}

const MOST = sql.lit(15);

const person = (org: Org) => sql`
  select u.id, nullif(in_nfc(u.attributes ->> 'department'), '') as department
  from platform_user u where u.org_id = ${org.orgId} and u.merged_into is null and u.status = 'active'`;
const named = sql`
  select person.department from person where person.department is not null
  group by person.department order by count(*) desc, person.department collate "C" limit ${MOST}`;
const place = sql`case when person.department is null then 'none' when named.department is null then 'other'
  else 'department' end`;

/** Returns the number of active people in each of the 15 largest departments, and in the rest. */
export const departmentSizes = (db: OrgDb) => many<DepartmentSize>(db)`
    with person as materialized (${person(db)}), named as materialized (${named})
    select ${place} as place, named.department, count(*) as people
    from person left join named on named.department = person.department
    group by 1, 2 order by 1, people desc, named.department collate "C"`;

/** Returns how many people of each department have an active account in each of the 15 apps with most people, and in the rest. */
export const accessByDepartment = (db: OrgDb) => many<DepartmentAccess>(db)`
    with person as materialized (${person(db)}), named as materialized (${named}),
    used as materialized (
      select distinct a.app_id, a.user_id from account a
      where a.org_id = ${db.orgId} and a.user_id is not null and a.status in ('INVITED', 'ACTIVE')
        and a.removed_at is null
        and a.app_id in (select p.id from app p where p.org_id = ${db.orgId} and p.archived_at is null)
    ), shown as materialized (
      select used.app_id as id from used join person on person.id = used.user_id
      group by used.app_id order by count(*) desc, used.app_id limit ${MOST}
    ), counted as (
      select shown.id as app_id, ${place} as place, named.department, count(distinct used.user_id) as people
      from used join person on person.id = used.user_id
      left join shown on shown.id = used.app_id
      left join named on named.department = person.department
      group by 1, 2, 3
    )
    select counted.app_id, (select p.name from app p where p.org_id = ${db.orgId} and p.id = counted.app_id) as app_name,
      counted.place, counted.department, counted.people
    from counted order by counted.app_id, counted.place, counted.department collate "C"`;
