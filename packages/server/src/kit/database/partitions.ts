import type { Db } from './database.ts';
import { values } from './statements.ts';

/** Returns the monthly partitions of a table whose month ended at least `days` days ago, oldest first. */
export async function selectPastPartitions(db: Db, parent: string, days: number): Promise<string[]> {
  // A plan may evaluate the condition for all tables of the database before it looks for partitions. Names without a month
  // must therefore give null rather than an error.
  return values<string>(db)`
    select c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${parent}::regclass
      and to_date(substring(c.relname from '[0-9]{4}_[0-9]{2}$'), 'YYYY_MM') + interval '1 month'
        + ${days} * interval '1 day' <= now() at time zone 'UTC'
    order by c.relname`;
}
