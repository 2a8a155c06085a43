import { createHash, randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Keeps a PGlite folder for one process. The lock is a listening socket: the kernel drops it with the process,
 * however that ends, so no stale lock ever needs a guess. Returns what gives the folder back.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = socketPath(resolve(folder));
  const server = createServer((socket) => socket.destroy());
  server.unref();
  while (!(await listens(server, path))) {
    if ((await isAnswered(path)) || !(await setAside(path))) {
      throw new Error(
        `The data folder ${folder} is in use by another Gatehouse process. Stop that one first, or give this one a folder of its own (GATEHOUSE_DATA_DIR).`,
      );
    }
  }
  return () => new Promise((done) => server.close(() => done()));
}

/** false: something lies at the path, alive or left behind by a process that was killed. */
function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((done, fail) => {
    const failed = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(false) : fail(error);
    server.once('error', failed);
    server.listen(path, () => {
      server.off('error', failed);
      done(true);
    });
  });
}

/** Takes a dead socket away. false: another process had done so before, and what was taken is its own; it is put back. */
async function setAside(path: string): Promise<boolean> {
  const aside = `${path}${randomBytes(3).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch {
    return true;
  }
  if (await isAnswered(aside)) {
    await rename(aside, path);
    return false;
  }
  await rm(aside, { force: true });
  return true;
}

/** A socket's path holds about 100 bytes, and setAside needs a few; a longer folder's socket lies in the temporary folder. */
function socketPath(folder: string): string {
  const inside = join(folder, 'lock.sock');
  if (Buffer.byteLength(inside) < 95) return inside;
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
