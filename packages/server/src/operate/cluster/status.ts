import { setTimeout } from 'node:timers/promises';
import { type Db, isCluster } from '#kit/database.ts';
import { StartError } from '#kit/errors.ts';
import * as queries from './queries/cluster.ts';

export interface ClusterStatus {
  nodes: { node: string; organizations: number; bytes: number }[];
  places: queries.Place[];
}

/** Returns the node of each organization, and how much each node holds. Throws StartError without a cluster. */
export async function clusterStatus(db: Db): Promise<ClusterStatus> {
  requireCluster(db);
  const places = await queries.listPlaces(db);
  const sizes = new Map((await queries.listSizes(db)).map(({ node, bytes }) => [node, bytes]));
  const nodes = ((await queries.findNodes(db)) ?? []).map(({ name, port }) => {
    const node = `${name}:${port}`;
    const organizations = places.filter((place) => place.node === node).length;
    return { node, organizations, bytes: sizes.get(node) ?? 0 };
  });
  return { nodes, places };
}

const POLL_MS = 1000;

/**
 * Moves shards between the nodes until each holds about as much. Servers keep running: Citus copies a shard while it is
 * written, and blocks writes only for the last moment. Returns the number of moves. Throws StartError if one failed.
 */
export async function rebalance(
  db: Db,
  onProgress: (progress: queries.Rebalance) => void = () => {},
): Promise<number> {
  requireCluster(db);
  const job = await queries.startRebalance(db);
  if (job === undefined) return 0;
  for (;;) {
    const progress = await queries.findRebalance(db, job);
    onProgress(progress);
    if (progress.state === 'finished') return progress.total;
    if (progress.state === 'failed' || progress.state === 'cancelled') {
      throw new StartError(
        `The rebalance ${progress.state === 'failed' ? 'failed' : 'was canceled'} after ${progress.moved} of ${progress.total} moves. The table pg_dist_background_task has the reason. Run the command again to continue.`,
      );
    }
    await setTimeout(POLL_MS);
  }
}

function requireCluster(db: Db): void {
  if (!isCluster(db)) {
    throw new StartError(
      'This database is not a Citus cluster. Run "gatehouse-server cluster prepare" first. See docs/guides/cluster.md.',
    );
  }
}
