import { sql } from 'kysely';
import type { Db, Tx } from '../../../kit/database/open.ts';

/** A table with rows of organizations. */
export interface TableOfOrganizations {
  name: string;
  /** The tables whose rows its rows refer to. */
  refers_to: string[];
}

/** Returns all tables with a column `org_id`, but no partitions, whose rows are also those of their table. */
export async function tablesOfOrganizations(db: Db): Promise<TableOfOrganizations[]> {
  const { rows } = await sql<TableOfOrganizations>`
    select c.relname as name, array(
        select distinct other.relname::text from pg_constraint f join pg_class other on other.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = c.oid
      ) as refers_to
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`.execute(db);
  return rows;
}

/** Deletes up to `limit` rows of an organization from a table. Returns how many it deleted. */
export async function deleteRows(tx: Tx, table: string, orgId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select delete_rows_of_organization(${table}::regclass, ${orgId}, ${limit}) as n`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Makes `tx` read one state of the database, however long it takes. */
export async function readOneState(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(tx);
  // It holds no locks, and waits for the disk that it writes to.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
}

/** Reads the rows of an organization from a table, as JSON texts without the columns `secret`, in batches. */
export async function* rowsOf(
  tx: Tx,
  table: string,
  orgId: string,
  secret: readonly string[],
  limit: number,
): AsyncGenerator<string[]> {
  const column = table === 'organization' ? 'id' : 'org_id';
  await sql`
    declare exported no scroll cursor for
    select (to_jsonb(t) - ${sql.lit(`{${secret.join(',')}}`)}::text[])::text as json
    from ${sql.table(table)} t where ${sql.ref(column)} = ${sql.lit(orgId)}`.execute(tx);
  for (;;) {
    const { rows } = await sql<{ json: string }>`fetch ${sql.lit(limit)} from exported`.execute(tx);
    if (rows.length > 0) yield rows.map(({ json }) => json);
    if (rows.length < limit) break;
  }
  await sql`close exported`.execute(tx);
}
