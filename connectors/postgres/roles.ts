import type { AccountRecord, GroupRecord, LicenseRecord, Page, Ref } from '@gatehouse/connector';
import pg from 'pg';

/** The connection, the role whose members are accounts, and the table whose rows are seats. */
export type Roles = {
  pool: pg.Pool;
  marker: string;
  seats: string | undefined;
  /** Without it the connector sets no passwords, because nobody could learn them. */
  deliverTo: string | undefined;
};
export type Account = AccountRecord<'role', 'seat'>;

const pageOfRoles = 1000;
/** Expects the marker as $1. The connector's own role is a member of the marker because it administers it, but no account, like pg_* roles. */
export const isAccount = `(r.rolname <> current_user and r.rolname !~ '^pg_' and exists (
  select from pg_auth_members m join pg_roles k on k.oid = m.roleid where m.member = r.oid and k.rolname = $1))`;
/** Reads the roles of which the role r is a member, directly or through others, as \`held\`. PostgreSQL refuses cycles. */
export const heldRoles = `with recursive held as (
  select roleid as oid from pg_auth_members where member = r.oid
  union select m.roleid from held join pg_auth_members m on m.member = held.oid)`;

/** An option of the membership m, which PostgreSQL has since version 16. Without it, members use their roles. */
const option = (name: 'inherit_option' | 'set_option' | 'admin_option', missing: boolean) =>
  `bool_or(coalesce((to_jsonb(m) ->> '${name}')::boolean, ${missing}))`;
/** The memberships of the role r whose options an administrator has changed, such as "payroll: inherit false, set false". */
const optionsOfRoles = `(
  select left(string_agg(name || ': ' || concat_ws(', ',
           case when not inherits then 'inherit false' end, case when not sets then 'set false' end,
           case when administers then 'admin' end), '; ' order by name), 512)
    from (select g.rolname::text as name, ${option('inherit_option', true)} as inherits,
                 ${option('set_option', true)} as sets, ${option('admin_option', false)} as administers
            from pg_auth_members m join pg_roles g on g.oid = m.roleid
           where m.member = r.oid and not g.rolcanlogin and g.rolname <> $1
           group by g.rolname) each
   where not (inherits or not r.rolinherit) or not sets or administers)`;

/** Quotes a table name given as `schema.table` or `table`. */
export function quoteTable(name: string): string {
  return name.split('.').map(pg.escapeIdentifier).join('.');
}

/** Lists NOLOGIN roles that are not accounts, including the server's pg_* roles. */
export async function* listGroups({ pool, marker }: Roles, from = '0'): AsyncGenerator<Page<GroupRecord>> {
  yield* pages<GroupRecord & { id: string }>(from, async (behind) => {
    const { rows } = await pool.query(
      `select r.oid::text as id, r.rolname as name, shobj_description(r.oid, 'pg_authid') as description
         from pg_roles r
        where r.oid > $2 and not r.rolcanlogin and r.rolname <> $1 and not ${isAccount}
        order by r.oid limit ${pageOfRoles}`,
      [marker, behind],
    );
    return rows;
  });
}

export async function* listAccounts(roles: Roles, from = '0'): AsyncGenerator<Page<Account>> {
  yield* pages<Account>(from, (behind) => readAccounts(roles, 'r.oid > $2', behind));
}

export async function readAccount(roles: Roles, id: string): Promise<Account | null> {
  if (!/^\d{1,10}$/.test(id)) return null;
  return (await readAccounts(roles, 'r.oid = $2', id))[0] ?? null;
}

/**
 * Reads the direct members of the marker role. NOLOGIN means suspended, and so does a connection limit of 0, which does not apply to
 * superusers. The role's comment may be an email address. A role that comes through a login role has no `via`, because that is not a group.
 */
async function readAccounts(
  { pool, marker, seats }: Roles,
  condition: string,
  value: string,
): Promise<Account[]> {
  const held = seats
    ? `(select jsonb_agg(distinct jsonb_build_object('id', s.license)) from ${quoteTable(seats)} s where s.role = r.rolname)`
    : 'null::jsonb';
  const { rows } = await pool.query(
    `select r.oid::text as id, r.rolname as username, r.rolcanlogin and (r.rolconnlimit <> 0 or r.rolsuper) as login,
            shobj_description(r.oid, 'pg_authid') as comment,
            r.rolsuper, r.rolcreatedb, r.rolcreaterole, r.rolreplication, r.rolbypassrls,
            case when isfinite(r.rolvaliduntil) then to_char(r.rolvaliduntil at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end
              as valid_until,
            ${optionsOfRoles} as role_options,
            (${heldRoles}
             select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', g.oid::text, 'name', g.rolname, 'via', (
               select jsonb_build_object('slug', 'role', 'id', k.oid::text)
                 from held join pg_roles k on k.oid = held.oid join pg_auth_members m on m.member = k.oid
                where m.roleid = g.oid and not k.rolcanlogin and k.rolname <> $1
                  and not exists (select from pg_auth_members own where own.member = r.oid and own.roleid = g.oid)
                order by k.oid::text collate "C" limit 1))))
               from held join pg_roles g on g.oid = held.oid
              where not g.rolcanlogin and g.rolname <> $1) as groups,
            ${held} as seats
       from pg_roles r
      where ${condition} and ${isAccount}
      order by r.oid limit ${pageOfRoles}`,
    [marker, value],
  );
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    email: /^\S+@\S+$/.test(row.comment ?? '') ? row.comment : null,
    status: row.login ? 'active' : 'suspended',
    attributes: {
      superuser: row.rolsuper,
      create_databases: row.rolcreatedb,
      create_roles: row.rolcreaterole,
      replication: row.rolreplication,
      bypass_row_security: row.rolbypassrls,
      valid_until: row.valid_until,
      ...(row.role_options ? { role_options: row.role_options } : {}),
    },
    memberships: { role: (row.groups as Ref[] | null) ?? [] },
    assignments: { seat: (row.seats as Ref[] | null) ?? [] },
  }));
}

/** Counts seats: one row is one seat, and a row without a role is a free seat. */
export async function listSeats({ pool, seats }: Roles): Promise<LicenseRecord[]> {
  if (!seats) return [];
  const { rows } = await pool.query(
    `select license as id, license as name, count(*)::int as max_count, count(role)::int as used_count
       from ${quoteTable(seats)} group by license order by license`,
  );
  return rows;
}

/** Pages by oid, which, unlike a name, never changes: a listing can resume after any page. */
async function* pages<R extends { id: string }>(
  from: string,
  read: (behind: string) => Promise<R[]>,
): AsyncGenerator<Page<R>> {
  for (let behind = from; ; ) {
    const records = await read(behind);
    const last = records.at(-1);
    if (!last) return;
    behind = last.id;
    yield { records, next: behind };
  }
}
