import type { Db } from '../database/open.ts';
import { value } from '../database/statements.ts';

/** Returns false for a database that no version with encrypted secrets has migrated yet. */
export async function hasDataKeys(db: Db): Promise<boolean> {
  return (
    (await value<boolean | undefined>(db)`
    select to_regclass('public.data_key') is not null as exists`) === true
  );
}
