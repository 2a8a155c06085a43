import { type RawBuilder, sql } from 'kysely';
import { isCluster } from './cluster.ts';
import type { Tx } from './open.ts';
import { connectionOf, type OrgTx } from './organization.ts';
import { UNNAMED } from './parse-once.ts';
import { one } from './statements.ts';

/*
 * PostgreSQL checks the foreign key of each row with a statement of its own. Our connections plan statements each time they run
 * (PLAN_EACH_TIME), and planning such a check takes five times as long as running it. So transactions that write many rows keep the
 * plans of the checks.
 */

/** For fewer rows, two more round trips take longer than planning the checks. */
const MANY = 50;

/** Runs a statement that writes this number of rows with foreign keys. It ends with `end`, so that it is still planned each time. */
export const writeMany = <T>(
  tx: OrgTx,
  rows: number,
  write: (end: RawBuilder<unknown>) => Promise<T>,
): Promise<T> => (rows < MANY ? write(sql``) : keepingPlans(tx, () => write(sql.raw(UNNAMED))));

/**
 * Makes the checks now that a transaction would make at its commit, if it has written many rows. Later ones are made with each
 * statement.
 */
export async function checkForeignKeys(tx: Tx | OrgTx, rows: number): Promise<void> {
  // The checks of a cluster run on its workers, whose connections are not ours.
  if (rows < MANY || isCluster(connectionOf(tx))) return;
  await keepingPlans(tx, () => sql`set constraints all immediate`.execute(tx));
}

/** The kept plans use an index, even if the table is small when a connection makes them. */
async function keepingPlans<T>(tx: Tx | OrgTx, work: () => Promise<T>): Promise<T> {
  const set = async (mode: string, seqscan: string) => {
    return (await one<{ mode: string; seqscan: string }>(tx)`
      with former as materialized (
        select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as seqscan)
      select former.*, set_config('plan_cache_mode', ${mode}, true), set_config('enable_seqscan', ${seqscan}, true)
      from former`) as { mode: string; seqscan: string };
  };
  const former = await set('auto', 'off');
  const result = await work();
  await set(former.mode, former.seqscan);
  return result;
}
