import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Database } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';

/** The second phase of the transactions of a cluster that write to the node of an organization. */
export interface SecondPhase {
  /** Keeps the writes of later transactions invisible on the node after they have committed on the coordinator. */
  hold(): void;
  /** Resolves once a transaction is held. */
  untilHeld(): Promise<void>;
  release(): void;
  close(): void;
}

/**
 * Leads the connections from the coordinator to the organization's worker through this process. Needs a cluster whose nodes
 * connect without TLS.
 */
export async function secondPhaseOf({ db }: Database, orgId: string): Promise<SecondPhase> {
  const { rows } = await sql<{ id: number; port: number }>`
    select n.nodeid as id, n.nodeport as port from pg_dist_shard_placement p
    join pg_dist_node n on n.nodename = p.nodename and n.nodeport = p.nodeport
    where p.shardid = get_shard_id_for_distribution_column('app', ${orgId}::uuid)`.execute(db);
  const node = rows[0];
  if (node === undefined) throw new Error('The organization is on no node.');
  let held: { released: Promise<void>; release(): void } | undefined;
  let reached = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();

  const server = createServer((coordinator) => {
    const worker = connect(node.port, '127.0.0.1');
    for (const [socket, other] of [
      [coordinator, worker],
      [worker, coordinator],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => other.destroy());
    }
    worker.pipe(coordinator);
    let sent = Promise.resolve();
    coordinator.on('data', (chunk) => {
      sent = sent.then(async () => {
        if (held !== undefined && chunk.includes('COMMIT PREPARED')) {
          reached.resolve();
          await held.released;
        }
        worker.write(chunk);
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // citus_update_node crashes the server with a segmentation fault while the database has no maintenance daemon (Citus 14).
  await sql`update pg_dist_node set nodeport = ${port} where nodeid = ${node.id}`.execute(db);

  return {
    hold: () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      held = { released, release };
      reached = Promise.withResolvers();
    },
    untilHeld: () => reached.promise,
    release: () => {
      held?.release();
      held = undefined;
    },
    close: () => {
      held?.release();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
