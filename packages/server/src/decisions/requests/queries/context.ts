import { accounts, entitlements, holds } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import { many, one, sql } from '#kit/sql.ts';
import type { TicketContext } from '../context-schemas.ts';

const teammatesOf = (org: Org) => sql`
  select m.id from platform_user m
  where m.org_id = ${org.orgId} and m.manager_id = u.manager_id and m.id <> u.id and m.status = 'active'`;

export const findBeneficiary = (db: OrgDb, userId: string) => one<TicketContext['user']>(db)`
    select u.id as external_uuid, u.email, u.first_name, u.last_name, u.status, u.attributes ->> 'title' as title,
      u.attributes ->> 'department' as department, case when b.id is not null then ${namedPersonJson('b')} end as manager,
      (select count(*) from (${teammatesOf(db)}) as team) as teammates
    from platform_user u
    left join platform_user b on b.org_id = u.org_id and b.id = u.manager_id
    where u.org_id = ${db.orgId} and u.id = ${userId}`;

export const requestedEntitlements = (db: OrgDb, ticketId: string) => many<TicketContext['asked'][number]>(
  db,
)`
    select e.slug, e.external_id as id, (
      select count(distinct a.user_id) from (${teammatesOf(db)}) as team
      join ${accounts} a on a.org_id = ${db.orgId} and a.user_id = team.id and a.app_id = t.app_id
      where ${holds(sql`${db.orgId}`, sql`a.id`, sql`e.id`)}
    ) as teammates
    from ticket t
    join platform_user u on u.org_id = t.org_id and u.id = t.user_id
    join ticket_entitlement w on w.org_id = t.org_id and w.ticket_id = t.id
    join ${entitlements} e on e.org_id = w.org_id and e.id = w.entitlement_id
    where t.org_id = ${db.orgId} and t.id = ${ticketId}
    order by e.slug, e.external_id`;
