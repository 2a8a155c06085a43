import type { Db, Tx } from './open.ts';
import { isTransient } from './sqlstate.ts';

const ATTEMPTS = 4;

/**
 * Runs `work` in one read-committed transaction and repeats it from the start after a deadlock. `work` may run more
 * than once, so it must not act outside the database.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
