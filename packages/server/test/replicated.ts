import { onTestFinished } from 'vitest';
import { createApp } from '#app.ts';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import { openReplica, type Replica } from '#kit/database/replica.ts';
import type { Database } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { caller, type TestApp } from './app.ts';
import { addFirstOrganization, ORG } from './organization.ts';
import { startPostgres } from './postgres.ts';
import { type Replica as ReplicaServer, run, startReplica } from './replica.ts';
import { secrets } from './secrets.ts';
import { temporaryFolder } from './temporary.ts';

/** A node of the service. With `reads`, it reads from the replica. */
export type Node = TestApp & { reads: Replica | undefined };

/** A PostgreSQL of its own with a streaming replica, and an organization in it. */
export interface Replicated {
  url: string;
  server: ReplicaServer;
  /** Opens a node of the service, which reads from the server at `readUrl` if it is given. */
  openNode(readUrl?: string): Promise<Node>;
  stopPrimary(): Promise<void>;
  close(): Promise<void>;
}

const logger = createLogger(process.env.LOG_LEVEL ?? 'silent');

/**
 * Opens a replica of `database`. It is closed when the test ends. A busy machine delays its checks: with the service's timeout of a
 * second, it would be lost at times.
 */
export async function openTestReplica(database: Database, url: string, timeoutMs = 60_000): Promise<Replica> {
  const replica = await openReplica(database, { url, timeoutMs, logger });
  onTestFinished(() => replica.close());
  return replica;
}

/** `settings` are settings of the replica. */
export async function openReplicated(settings: string[] = []): Promise<Replicated> {
  // A vacuum of the primary would cancel statements of the replica.
  const primary = await startPostgres(['fsync=off', 'autovacuum=off'], await temporaryFolder());
  await run(primary.url, 'create database gatehouse');
  const url = new URL(primary.url);
  url.pathname = 'gatehouse';
  const database = await openDatabase({ url: url.href });
  await migrate(database);
  const key = await addFirstOrganization(database);
  await database.close();
  const server = await startReplica(url.href, settings);
  const nodes: Node[] = [];

  const openNode = async (readUrl?: string) => {
    const options = { url: url.href };
    const opened = await openDatabase(options);
    const reads = readUrl === undefined ? undefined : await openReplica(opened, { url: readUrl, logger });
    const app = await createApp({
      database: opened,
      replica: reads,
      secrets,
      logger,
      publicUrl: undefined,
      trustProxy: false,
    });
    const node: Node = {
      app,
      org: ORG,
      key,
      database: opened,
      options,
      reads,
      call: caller(app, key),
      close: async () => {
        await app.close();
        await reads?.close();
        await opened.close();
      },
    };
    nodes.push(node);
    return node;
  };
  return {
    url: url.href,
    server,
    openNode,
    stopPrimary: () => primary.stop(),
    close: async () => {
      for (const node of nodes) await node.close();
      await server.remove();
      await primary.stop();
    },
  };
}
