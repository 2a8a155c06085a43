import { sql } from 'kysely';
import type { Db } from '../database/open.ts';

/** Returns false for a database that no version with encrypted secrets has migrated yet. */
export async function hasDataKeys(db: Db): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('public.data_key') is not null as exists`.execute(db);
  return rows[0]?.exists === true;
}
