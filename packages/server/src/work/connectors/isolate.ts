import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { StartError } from '#kit/errors.ts';
import { runChild } from './child.ts';
import {
  bubblewrapped,
  CONNECTORS,
  type Isolation,
  LEVELS,
  type Level,
  permissionOnly,
  userOfItsOwn,
} from './isolation.ts';

const PROBE_MS = 30_000;

const MISSING: Record<Level, string> = {
  permission: '',
  user: 'Start Gatehouse as root with the capabilities CHOWN, DAC_OVERRIDE, FOWNER, KILL, SETGID and SETUID,',
  bubblewrap: 'Install bubblewrap, let Gatehouse create user namespaces,',
};

/**
 * Returns the strongest isolation that works here for the processes of connectors, which keep their state in the folder. Throws
 * StartError if it is weaker than the operator demands.
 */
export async function strongestIsolation(folder: string, least: Level = 'permission'): Promise<Isolation> {
  const strongest = (await firstThatWorks(folder, candidates(folder))) ?? permissionOnly;
  if (LEVELS.indexOf(strongest.level) < LEVELS.indexOf(least))
    throw new StartError(
      `GATEHOUSE_CONNECTOR_ISOLATION demands the level ${least}, but this machine offers ${strongest.level} only. ${MISSING[least]} or demand less: see docs/guides/managed-connectors.md.`,
    );
  return strongest;
}

/** Returns what this machine may offer, the strongest first. */
export function candidates(folder: string): Isolation[] {
  const bwrap = findProgram('bwrap');
  // Without the list of children, the memory of a process inside of namespaces could not be watched.
  const isWatchable = existsSync('/proc/thread-self/children');
  return [
    ...(bwrap !== undefined && isWatchable ? [bubblewrapped(bwrap)] : []),
    ...(process.getuid?.() === 0 ? [userOfItsOwn(dirname(folder))] : []),
  ];
}

async function firstThatWorks(folder: string, isolations: Isolation[]): Promise<Isolation | undefined> {
  for (const isolation of isolations) if (await works(folder, isolation)) return isolation;
  return undefined;
}

/** Whether a process with this isolation can read its code and write to its folder. */
export async function works(folder: string, isolation: Isolation): Promise<boolean> {
  const own = join(folder, `probe-${randomUUID()}`);
  try {
    await mkdir(own, { recursive: true, mode: 0o700 });
    const program = join(own, 'probe.mjs');
    await writeFile(program, `import { writeFileSync } from 'node:fs';\nwriteFileSync('written', '');`);
    const { code } = await runChild({
      program: relative(CONNECTORS, program),
      args: [],
      input: {},
      env: {},
      folder: own,
      memory: 256,
      limitMs: PROBE_MS,
      signal: new AbortController().signal,
      secrets: [],
      isolation,
    });
    return code === 0;
  } catch {
    return false;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

function findProgram(name: string): string | undefined {
  const paths = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
