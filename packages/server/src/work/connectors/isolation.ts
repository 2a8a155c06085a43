import { createHash } from 'node:crypto';
import { chmod, constants, lchown, lstat, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/**
 * The levels of isolation of a connector's process from the rest of the machine, weakest first. Node's permission model
 * applies in each.
 */
export const LEVELS = ['permission', 'user', 'bubblewrap'] as const;
export type Level = (typeof LEVELS)[number];

/** How a process starts: the program that runs it, with its arguments, and the user. */
export interface Start {
  wrapper: readonly string[];
  ids: { uid?: number; gid?: number };
}

export interface Isolation {
  level: Level;
  /** Prepares a folder for a process that may write to this one only. */
  prepare(folder: string): Promise<Start>;
}

/** The folder of this repository, which also has the programs of the connectors. */
const ROOT = join(import.meta.dirname, '../../../../..');
export const CONNECTORS = join(ROOT, 'connectors');

/** The code that a connector runs. The data folder of the server, which may hold its secret key, is not among them. */
const CODE = [
  'node_modules',
  'connectors',
  'packages/connector',
  'packages/protocol',
  'packages/server/package.json',
  'packages/server/node_modules',
  'packages/server/src/work/connectors/guard.ts',
  'packages/server/src/work/connectors/guard-databases.ts',
  'packages/server/src/work/connectors/guard-processes.ts',
  'packages/server/src/work/connectors/guard-sentences.ts',
  'packages/server/src/kit/net/addresses.ts',
  'packages/server/src/kit/net/names.ts',
  'packages/server/src/kit/http/outbound-sentences.ts',
  'packages/server/src/kit/sentences.ts',
].map((path) => join(ROOT, path));
/** The file with further authorities that the operator trusts. Connectors trust them, too. */
export const extraAuthorities = (): string | undefined => {
  const { NODE_EXTRA_CA_CERTS: file = '' } = process.env;
  return file === '' ? undefined : resolve(file);
};

export const readable = (): string[] => [
  ...CODE,
  '/etc/hosts',
  '/etc/resolv.conf',
  ...[extraAuthorities()].filter((file) => file !== undefined),
];
/** The folders from which Node.js itself loads libraries. */
const LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/nix/store'];

export const permissionOnly: Isolation = {
  level: 'permission',
  prepare: async () => ({ wrapper: [], ids: {} }),
};

let active = permissionOnly;

export const activeIsolation = (): Isolation => active;

/** Applies to all processes from now on. Called at startup. */
export function useIsolation(isolation: Isolation) {
  active = isolation;
}

/** A user for each app, who may enter the data folder but not list it. Requires root. */
export const userOfItsOwn = (dataDir: string): Isolation => ({
  level: 'user',
  prepare: async (folder) => {
    const id = idOf(folder);
    for (let path = dirname(folder); `${path}${sep}`.startsWith(`${dataDir}${sep}`); path = dirname(path))
      await letEnter(path);
    await give(folder, id);
    return { wrapper: [], ids: { uid: id, gid: id } };
  },
});

/** Namespaces of its own, in which there are the code and the folder only. The network is that of the server. */
export const bubblewrapped = (bwrap: string): Isolation => ({
  level: 'bubblewrap',
  prepare: async (folder) => {
    if (process.getuid?.() === 0) await give(folder, 0);
    const shown = [...LIBRARIES, ...readable(), process.execPath].flatMap((path) => [
      '--ro-bind-try',
      path,
      path,
    ]);
    const wrapper = [
      ...[bwrap, '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
      ...['--die-with-parent', ...shown, '--dev', '/dev', '--bind', folder, folder],
      ...['--remount-ro', '/', '--chdir', folder, '--'],
    ];
    return { wrapper, ids: {} };
  },
});

/** The ids from here on belong to nobody: neither to people, nor to the ranges of containers and of systemd. */
const FIRST_ID = 0x7000_0000;
const ID_BITS = 27;

/** Returns the same id for a folder each time, since a sync and a task batch share it. */
const idOf = (folder: string): number =>
  FIRST_ID + (createHash('sha256').update(folder).digest().readUInt32BE() >>> (32 - ID_BITS));

async function letEnter(folder: string) {
  const { mode } = await stat(folder);
  if ((mode & constants.S_IXOTH) === 0) await chmod(folder, mode | constants.S_IXOTH);
}

/** Makes the user the owner of the folder and of its files. Follows no links, which a connector could have made. */
async function give(folder: string, id: number) {
  await chmod(folder, 0o700);
  if ((await lstat(folder)).uid !== id) await lchown(folder, id, id);
  for (const name of await readdir(folder)) {
    const file = await open(
      join(folder, name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    ).catch(() => undefined);
    if (file === undefined) continue;
    const { uid, nlink } = await file.stat();
    if (uid !== id && nlink === 1) await file.chown(id, id);
    await file.close();
  }
}
