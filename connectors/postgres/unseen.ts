import type { Unseen } from '@gatehouse/connector';
import { heldRoles, isAccount, quoteTable, type Roles } from './roles.ts';

/** Roles that can sign in and are not accounts, because they are not members of the marker: $1. */
const isOther = `r.rolcanlogin and not ${isAccount}`;

/** Returns how many login roles, members of group roles and holders of seats are not listed (D81). */
export async function readUnseen({ pool, marker, seats }: Roles): Promise<Unseen[]> {
  const { rows } = await pool.query<Unseen>(
    `select 'user' as slug, null as id, 'filter' as rule, count(*)::int as count
       from pg_roles r where ${isOther}
     union all
     select 'role', g.oid::text, 'filter', count(*)::int
       from pg_roles r cross join lateral (${heldRoles} select oid from held) each
       join pg_roles g on g.oid = each.oid
      where ${isOther} and not g.rolcanlogin and g.rolname <> $1
      group by g.oid`,
    [marker],
  );
  return [...rows.filter(({ count }) => count > 0), ...(await readUnseenSeats({ pool, marker, seats }))];
}

/** A seat may have a name that is not a role, which the application knows. */
async function readUnseenSeats({
  pool,
  marker,
  seats,
}: Pick<Roles, 'pool' | 'marker' | 'seats'>): Promise<Unseen[]> {
  if (!seats) return [];
  const { rows } = await pool.query<Unseen>(
    `select 'seat' as slug, s.license as id, case when r.oid is null then 'foreign' else 'filter' end as rule,
            count(distinct s.role)::int as count
       from ${quoteTable(seats)} s left join pg_roles r on r.rolname = s.role
      where s.role is not null and (r.oid is null or not ${isAccount})
      group by 2, 3`,
    [marker],
  );
  return rows;
}
