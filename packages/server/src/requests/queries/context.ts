import { sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';

interface Named {
  external_uuid: string;
  email: string;
  first_name: string;
  last_name: string;
}

/** For whom a ticket is, as whoever decides about it needs to know. */
export interface Subject extends Named {
  status: string;
  title: string | null;
  department: string | null;
  manager: Named | null;
  /** Active people of the same manager. */
  teammates: number;
}

const named = (alias: string) => sql`
  jsonb_build_object('external_uuid', ${sql.ref(`${alias}.id`)}, 'email', ${sql.ref(`${alias}.email`)},
    'first_name', ${sql.ref(`${alias}.first_name`)}, 'last_name', ${sql.ref(`${alias}.last_name`)})`;

const teammatesOf = sql`
  select m.id from platform_user m
  where m.org_id = u.org_id and m.manager_id = u.manager_id and m.id <> u.id and m.status = 'active'`;

export async function subjectOf(db: Db, orgId: string, userId: string): Promise<Subject | undefined> {
  const { rows } = await sql<Subject>`
    select u.id as external_uuid, u.email, u.first_name, u.last_name, u.status, u.attributes ->> 'title' as title,
      u.attributes ->> 'department' as department, case when b.id is not null then ${named('b')} end as manager,
      (select count(*) from (${teammatesOf}) as team) as teammates
    from platform_user u
    left join platform_user b on b.org_id = u.org_id and b.id = u.manager_id
    where u.org_id = ${orgId} and u.id = ${userId}`.execute(db);
  return rows[0];
}

/** How many of the same manager's people have each thing that a ticket asks for. */
export interface Spread {
  slug: string;
  id: string;
  teammates: number;
}

export async function spreadOf(db: Db, orgId: string, ticketId: string): Promise<Spread[]> {
  const { rows } = await sql<Spread>`
    select r.slug, e.external_id as id, (
      select count(distinct a.user_id) from (${teammatesOf}) as team
      join account a on a.org_id = t.org_id and a.user_id = team.id and a.app_id = t.app_id
      join membership h on h.org_id = a.org_id and h.account_id = a.id and h.entitlement_id = e.id
    ) as teammates
    from ticket t
    join platform_user u on u.org_id = t.org_id and u.id = t.user_id
    join ticket_entitlement w on w.org_id = t.org_id and w.ticket_id = t.id
    join entitlement e on e.org_id = w.org_id and e.id = w.entitlement_id
    join resource_type r on r.org_id = e.org_id and r.id = e.resource_type_id
    where t.org_id = ${orgId} and t.id = ${ticketId}
    order by r.slug, e.external_id`.execute(db);
  return rows;
}
