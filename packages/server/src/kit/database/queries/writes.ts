import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { readOnly } from '../sqlstate.ts';

/** Sorts more than fits into its memory, so that the database writes a temporary file to its disk. */
const SPILL_ROWS = 4000;

/**
 * Throws if the database cannot write: its disk is full, it is a standby, or it is read-only. It leaves no row behind: a sort
 * writes a temporary file, and a message reaches the write-ahead log, which only subscribers of logical replication see.
 */
export async function tryWrite(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64kB'`.execute(tx);
    await sql`
      select count(*) from (
        select n from generate_series(1, ${SPILL_ROWS}::int) n order by repeat(md5(n::text), 4) offset 1
      ) sorted`.execute(tx);
    await sql`select pg_logical_emit_message(true, 'gatehouse', 'ready')`.execute(tx);
    const { rows } = await sql<{ on: string }>`
      select current_setting('transaction_read_only') as "on"`.execute(tx);
    // A message needs no permission to write. The code is that of a statement that does.
    if (rows[0]?.on === 'on') throw readOnly();
  });
}
