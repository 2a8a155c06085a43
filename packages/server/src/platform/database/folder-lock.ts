import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Keeps a PGlite folder for one process. The lock is a listening socket: the kernel drops it with the process,
 * however that ends, so no stale lock ever needs a guess. Returns what gives the folder back.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = socketPath(resolve(folder));
  if (await isAnswered(path)) {
    throw new Error(
      `The data folder ${folder} is in use by another Gatehouse process. Stop that one first, or give this one a folder of its own (GATEHOUSE_DATA_DIR).`,
    );
  }
  await rm(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  server.unref();
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(path, done);
  });
  return () => new Promise((done) => server.close(() => done()));
}

/** A socket's path holds about 100 bytes; a longer folder's socket lies in the temporary folder. */
function socketPath(folder: string): string {
  const inside = join(folder, 'lock.sock');
  if (Buffer.byteLength(inside) < 100) return inside;
  return join(tmpdir(), `gatehouse-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`);
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
