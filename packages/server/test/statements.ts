// The recording of the statements that the server sends to PostgreSQL. A test on Citus plans them
// (src/operate/cluster/statements.test.ts). A recording belongs to one state of the server's sources, so runs of single files add
// to it, and one of other sources is never taken for it.
import { createHash } from 'node:crypto';
import { glob, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addKinds, type Rows } from './rows.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RECORDINGS = join(ROOT, 'node_modules/.cache/gatehouse/statements');
const KEPT_MS = 24 * 60 * 60_000;

/** A value as the driver sends it. Bytes are in base64. */
export type Value = string | null | { bytes: string };

/** A statement with a sample of its values. */
export interface Statement {
  /** The SQL with `$1` for the first value. */
  text: string;
  /** The line of the server that sent it. */
  where: string;
  /** Whether it ran in `acrossOrganizations`: it may go to several shards. */
  isAcross: boolean;
  values: Value[];
}

/** A line in the file of a worker. The lines about the rows of a statement add to each other. */
export type Line = Statement | Rows | { begun: string };

export interface Recording {
  /** A statement several times if the places of its nulls differ. */
  statements: Statement[];
  rows: Rows[];
  /** The test files of the server that are part of `npm test` and have not run, as paths in the repository. */
  missing: string[];
}

/** Returns the folder for the recording of the server as it is now. */
export async function recordingFolder(): Promise<string> {
  const hash = createHash('sha256');
  const files = ['package-lock.json', ...(await listed('packages/server/{src/**/*.ts,migrations/*.sql}'))];
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    hash.update(`${file}\n`).update(await readFile(join(ROOT, file)));
  }
  return join(RECORDINGS, hash.digest('hex').slice(0, 16));
}

/** Creates the folder, and removes those of earlier sources. */
export async function openRecording(): Promise<string> {
  const folder = await recordingFolder();
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(RECORDINGS)) {
    const path = join(RECORDINGS, name);
    const { mtimeMs } = await stat(path);
    if (path !== folder && Date.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
  return folder;
}

/** Puts together what all workers, or the one with the given process id, have recorded in a folder. */
export async function readRecording(folder: string, worker?: number): Promise<Recording> {
  const statements = new Map<string, Statement>();
  const rows = new Map<string, Rows>();
  const missing = new Set<string>();
  for (const file of await listed('packages/server/{src/**,test/system}/*.test.ts')) {
    if (!/^\/\/ @module-tag (?:long|servers)$/m.test(await readFile(join(ROOT, file), 'utf8')))
      missing.add(file);
  }
  const add = (line: Line) => {
    if ('begun' in line) missing.delete(line.begun);
    else if ('kinds' in line) addRows(rows, line);
    else statements.set(JSON.stringify([line.text, line.isAcross, nullsOf(line.values)]), line);
  };
  const files = await readdir(folder).catch(() => []);
  for (const file of files.filter((name) => worker === undefined || name.startsWith(`${worker}-`))) {
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n')) {
      if (line !== '') add(JSON.parse(line) as Line);
    }
  }
  return { statements: [...statements.values()], rows: [...rows.values()], missing: [...missing] };
}

function addRows(all: Map<string, Rows>, line: Rows) {
  const key = JSON.stringify([line.places, line.text]);
  const rows = all.get(key);
  if (rows === undefined) all.set(key, line);
  else addKinds(rows.kinds, line.kinds);
}

/** Which values are null: the shard can depend on that. */
export const nullsOf = (values: readonly unknown[]): string =>
  values.map((value) => (value === null || value === undefined ? '0' : '1')).join('');

async function listed(pattern: string): Promise<string[]> {
  return (await Array.fromAsync(glob(pattern, { cwd: ROOT }))).sort();
}
