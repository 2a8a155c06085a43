import { type Db, isCluster } from '#kit/database.ts';
import { StartError } from '#kit/errors.ts';
import * as queries from './queries/cluster.ts';

/** The number of shards. A cluster cannot have more nodes with rows, and each organization is in one shard. */
export const SHARDS = 32;

/**
 * Distributes the tables of a migrated database over the nodes of its Citus cluster, whether it is empty or not. Rows are
 * copied, so that it takes about as long as a restore. Safe to repeat: it goes on where it was interrupted. Returns the
 * number of tables that it distributed. Throws StartError if there is no cluster, or if servers are running.
 */
export async function prepareCluster(db: Db, { shards = SHARDS } = {}): Promise<number> {
  await requireWorkers(db);
  return db.connection().execute(async (connection) => {
    await queries.configureDistribution(connection, shards);
    const tables = (await queries.listTables(connection)).filter(({ is_distributed }) => !is_distributed);
    if (tables.length === 0 && !(await queries.isUnfinished(connection))) return 0;
    await queries.keepForeignKeys(connection);
    const keys = await queries.listKeptForeignKeys(connection);
    for (const { drop_it } of keys) await queries.run(connection, ifPresent(drop_it));
    await queries.replicateOrganizations(connection);
    for (const { name, has_key } of tables) {
      await queries.distribute(connection, name);
      if (!has_key) await queries.logWholeRows(connection, name);
    }
    for (const { drop_it, add_it } of keys) {
      await queries.run(connection, ifPresent(drop_it));
      await queries.run(connection, add_it);
    }
    await queries.forgetForeignKeys(connection);
    return tables.length;
  });
}

/** An earlier run may have dropped the foreign key. */
const ifPresent = (statement: string) =>
  statement.replace(' drop constraint ', ' drop constraint if exists ');

/** Throws StartError if tables are not distributed: a preparation was interrupted, or an upgrade has added them. */
export async function requirePrepared(db: Db): Promise<void> {
  if (await queries.isUnfinished(db)) {
    throw new StartError(
      'The preparation of the cluster was interrupted. Run "gatehouse-server cluster prepare" again, then start the server.',
    );
  }
  if (!isCluster(db)) return;
  const added = (await queries.listTables(db)).filter(({ is_distributed }) => !is_distributed);
  if (added.length > 0) {
    throw new StartError(
      `The upgrade added tables that the cluster does not know: ${added.map(({ name }) => name).join(', ')}. Stop all servers and run "gatehouse-server cluster prepare", then start them.`,
    );
  }
}

async function requireWorkers(db: Db): Promise<void> {
  const nodes = await queries.findNodes(db);
  if (nodes === undefined) {
    throw new StartError(
      'This database is not the coordinator of a Citus cluster: the extension citus is missing. See docs/guides/cluster.md.',
    );
  }
  if (!nodes.some(({ is_coordinator }) => !is_coordinator)) {
    throw new StartError(
      'The cluster has no workers yet. Add them with citus_add_node. See docs/guides/cluster.md.',
    );
  }
  const connections = await queries.countServerConnections(db);
  if (connections > 0) {
    throw new StartError(
      'Gatehouse servers are connected to this database. Stop all of them, then run the command again.',
    );
  }
}
