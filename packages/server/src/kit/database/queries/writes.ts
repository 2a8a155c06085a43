import type { Db } from '../database.ts';
import { readOnly } from '../sqlstate.ts';
import { run, value } from '../statements.ts';

/** Sorts more than fits into its memory, so that the database writes a temporary file to its disk. */
const SPILL_ROWS = 4000;

/**
 * Throws if the database cannot write: its disk is full, it is a standby, or it is read-only. It leaves no row behind: a sort
 * writes a temporary file, and a message reaches the write-ahead log, which only subscribers of logical replication see.
 */
export async function tryWrite(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await run(tx)`set local work_mem = '64kB'`;
    await run(tx)`
      select count(*) from (
        select n from generate_series(1, ${SPILL_ROWS}::int) n order by repeat(md5(n::text), 4) offset 1
      ) sorted`;
    await run(tx)`select pg_logical_emit_message(true, 'gatehouse', 'ready')`;
    const on = await value<string | undefined>(tx)`
      select current_setting('transaction_read_only') as "on"`;
    // A message needs no permission to write. The code is that of a statement that does.
    if (on === 'on') throw readOnly();
  });
}
