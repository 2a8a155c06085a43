import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './until.ts';

/** A control group of Linux that limits memory, like the container of a pod. Needs root. */
export interface Cgroup {
  /** Runs a command in the group. */
  command(...command: string[]): [string, ...string[]];
  /** The most memory of its processes so far, in megabytes. */
  peakMegabytes(): Promise<number>;
  /** Once its processes have ended. */
  remove(): Promise<void>;
}

const MB = 1024 * 1024;
const ROOTS = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' },
];

/** Creates a group. Returns undefined where this process cannot. */
export async function openCgroup(megabytes: number): Promise<Cgroup | undefined> {
  for (const { root, limit, peak } of ROOTS) {
    const folder = join(root, `gatehouse-${process.pid}-${Date.now()}`);
    try {
      await mkdir(folder);
    } catch {
      continue;
    }
    try {
      await writeFile(join(folder, limit), String(megabytes * MB));
      await readFile(join(folder, peak));
    } catch {
      await rmdir(folder);
      continue;
    }
    return {
      command: (...command) => ['sh', '-c', `echo $$ > ${folder}/cgroup.procs; exec "$@"`, 'sh', ...command],
      peakMegabytes: async () => Math.round(Number(await readFile(join(folder, peak), 'utf8')) / MB),
      remove: async () => {
        const isEmpty = async () => (await readFile(join(folder, 'cgroup.procs'), 'utf8')) === '';
        await until('the processes of the group', isEmpty, (empty) => empty, { everyMs: 20 });
        await rmdir(folder);
      },
    };
  }
  return undefined;
}
