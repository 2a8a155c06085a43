import type { Db } from '../database.ts';
import type { Setting } from '../setting-source.ts';
import { one } from '../statements.ts';

/** A collation whose rules are not those with which its indexes were built. `name` is null for that of the database. */
export interface ChangedCollation {
  name: string | null;
  recorded: string;
  actual: string;
}

export interface State {
  database: string;
  role: string;
  collations: ChangedCollation[];
  settings: Setting[];
}

/** Reads what endangers data or speed without stopping Gatehouse: changed collations, and settings that are off. */
export async function readState(db: Db): Promise<State> {
  return (await one<State>(db)`
    with changed as (
      select null::text as name, datcollversion as recorded, pg_database_collation_actual_version(oid) as actual
      from pg_database where datname = current_database()
      union all
      select c.collname::text, c.collversion, pg_collation_actual_version(c.oid)
      from pg_collation c
      where c.collversion is not null and c.oid in (
        select unnest(i.indcollation::oid[]) from pg_index i join pg_class t on t.oid = i.indrelid
        where t.relnamespace not in ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)))
    select current_database()::text as database, session_user::text as role,
      coalesce((select json_agg(changed) from changed where recorded <> actual), '[]') as collations,
      coalesce((select json_agg(json_build_object('name', name, 'value', setting, 'source', source) order by name)
        from pg_settings where setting = 'off' and boot_val = 'on'
          and (name in ('synchronous_commit', 'fsync', 'full_page_writes') or name like 'enable\\_%')), '[]') as settings`) as State;
}
