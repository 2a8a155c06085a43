import pg from 'pg';

/** Where to find roles: the role whose members are accounts, and the table whose rows are seats. */
export type Roles = { pool: pg.Pool; marker: string; seats: string | undefined };

type Row = Record<string, unknown>;

/** A table name as a setting gives it, `schema.table` or `table`, quoted. */
export function quoteTable(name: string): string {
  return name.split('.').map(pg.escapeIdentifier).join('.');
}

/** The rows of a query, a thousand at a time, going on behind an id: role names move, oids do not. */
export async function* pagesBehind<R>(
  from: string | undefined,
  read: (after: string) => Promise<Row[]>,
  record: (row: Row) => R,
) {
  for (let after = from ?? '0'; ; ) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    after = String(last.id);
    yield { records: rows.map(record), next: after };
  }
}

/** NOLOGIN roles that are no accounts: what can be granted, the server's own pg_* roles too. */
export const groupRows =
  ({ pool, marker }: Roles) =>
  async (after: string): Promise<Row[]> => {
    const { rows } = await pool.query(
      `select r.oid::text as id, r.rolname as name, shobj_description(r.oid, 'pg_authid') as description
       from pg_roles r
      where not r.rolcanlogin and r.rolname <> $1 and r.oid > $2
        and not exists (select from pg_auth_members m join pg_roles k on k.oid = m.roleid and k.rolname = $1 where m.member = r.oid)
      order by r.oid limit 1000`,
      [marker, after],
    );
    return rows;
  };

/** Direct members of the marker role; one that may not log in is suspended. */
export const accountRows =
  ({ pool, marker, seats }: Roles) =>
  async (after: string): Promise<Row[]> => {
    const held = seats
      ? `(select jsonb_agg(distinct jsonb_build_object('id', s.license)) from ${quoteTable(seats)} s where s.role = r.rolname)`
      : 'null::jsonb';
    const { rows } = await pool.query(
      `select r.oid::text as id, r.rolname as username, r.rolcanlogin as active,
            substring(shobj_description(r.oid, 'pg_authid') from '^[^[:space:]@]+@[^[:space:]@]+$') as email,
            (select jsonb_agg(distinct jsonb_build_object('id', g.oid::text, 'name', g.rolname))
               from pg_auth_members m join pg_roles g on g.oid = m.roleid
              where m.member = r.oid and not g.rolcanlogin and g.rolname <> $1) as groups,
            ${held} as licenses
       from pg_roles r
      where r.oid > $2
        and exists (select from pg_auth_members m join pg_roles k on k.oid = m.roleid and k.rolname = $1 where m.member = r.oid)
      order by r.oid limit 1000`,
      [marker, after],
    );
    return rows;
  };

/** One row of the seat table is one seat; a seat without a role is free. */
export async function seatRows({ pool, seats }: Roles): Promise<Row[]> {
  if (!seats) return [];
  const { rows } = await pool.query(
    `select license as id, count(*)::int as total, count(role)::int as used from ${quoteTable(seats)} group by license order by license`,
  );
  return rows;
}
