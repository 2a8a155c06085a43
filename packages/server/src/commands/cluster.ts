import { counted } from '#kit/counted.ts';
import { StartError } from '#kit/errors.ts';
import { prepareCluster, SHARDS } from '#operate/cluster/prepare.ts';
import { clusterStatus, rebalance } from '#operate/cluster/status.ts';
import { type Area, columns } from './command.ts';

export const cluster: Area = {
  usage: `  cluster prepare [--shards <n>]
                                distribute the tables over a Citus cluster; stop all servers first
  cluster status                show on which node each organization is
  cluster rebalance             move organizations until each node holds about as much; servers keep running`,
  commands: {
    'cluster prepare': async ({ database: { db }, options: { shards = String(SHARDS) } }) => {
      if (!/^[1-9]\d{0,3}$/.test(shards))
        throw new StartError(`--shards must be a whole number from 1 to 9999. It is "${shards}".`);
      const count = await prepareCluster(db, { shards: Number(shards) });
      return count === 0
        ? 'The cluster is prepared already.'
        : `${count} tables are distributed. You can start servers.`;
    },
    'cluster status': async ({ database: { db } }) => {
      const { nodes, places } = await clusterStatus(db);
      const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
      return [
        columns([
          ['NODE', 'ORGANIZATIONS', 'MB'],
          ...nodes.map((one) => [one.node, String(one.organizations), megabytes(one.bytes)]),
        ]),
        columns([['SLUG', 'NODE'], ...places.map(({ slug, node }) => [slug, node])]),
      ].join('\n\n');
    },
    'cluster rebalance': async ({ database: { db } }) => {
      const moves = await rebalance(db);
      return moves === 0
        ? 'The organizations are balanced already.'
        : `${counted(moves, 'group of shards was', 'groups of shards were')} moved.`;
    },
  },
};
