import { sql } from 'kysely';
import type { Db } from '../platform/database/open.ts';
import * as queries from './queries.ts';

/** Distributes the tables of a migrated database, empty or not. */
export async function prepareCluster(db: Db, { shards }: { shards: number }): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set citus.enable_unsafe_triggers = on`.execute(connection);
    await sql`set citus.shard_count = ${sql.lit(shards)}`.execute(connection);
    const keys = await queries.foreignKeys(connection);
    for (const key of keys) await queries.dropForeignKey(connection, key);
    await queries.replicateOrganizations(connection);
    for (const { name, distributed } of await queries.tablesOfOrganizations(connection))
      if (!distributed) await queries.distribute(connection, name);
    for (const key of keys)
      await queries.addForeignKey(connection, {
        ...key,
        definition: key.definition.replace(/ ON DELETE SET NULL \(\w+\)/, ''),
      });
  });
}
