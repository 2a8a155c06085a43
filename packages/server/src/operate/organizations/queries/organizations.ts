import type { Db, Tx } from '#kit/database.ts';
import { many, run, sql, value } from '#kit/sql.ts';

/** A table with rows of organizations. */
export interface TableOfOrganizations {
  name: string;
  /** The tables whose rows its rows refer to. */
  refers_to: string[];
}

/** Returns all tables with a column `org_id`, but no partitions, whose rows are also those of their table. */
export const tablesOfOrganizations = (db: Db) => many<TableOfOrganizations>(db)`
    select c.relname as name, array(
        select distinct other.relname::text from pg_constraint f join pg_class other on other.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = c.oid
      ) as refers_to
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`;

/** Deletes up to `limit` rows of an organization from a table. Returns how many it deleted. */
export const deleteRows = (tx: Tx, table: string, orgId: string, limit: number) => value<number>(tx)`
    select delete_rows_of_organization(${table}::regclass, ${orgId}, ${limit}) as n`;

/** Makes `tx` read one state of the database, however long it takes. */
export async function readOneState(tx: Tx): Promise<void> {
  await run(tx)`set transaction isolation level repeatable read, read only`;
  // It holds no locks, and waits for the disk that it writes to.
  await run(tx)`set local idle_in_transaction_session_timeout = 0`;
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
  await run(tx)`
    declare exported no scroll cursor for
    select (to_jsonb(t) - ${sql.lit(`{${secret.join(',')}}`)}::text[])::text as json
    from ${sql.table(table)} t where ${sql.ref(column)} = ${sql.lit(orgId)}`;
  for (;;) {
    const rows = await many<{ json: string }>(tx)`fetch ${sql.lit(limit)} from exported`;
    if (rows.length > 0) yield rows.map(({ json }) => json);
    if (rows.length < limit) break;
  }
  await run(tx)`close exported`;
}
