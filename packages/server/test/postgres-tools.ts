import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PostgreSQL refuses to dump a server that is newer than its tools. */
const OLDEST = 18;

/**
 * Returns a function that runs a tool of PostgreSQL such as `pg_dump`, or undefined without tools that are new enough.
 * They come from GATEHOUSE_CITUS_DIR, from Debian's packages, or from the PATH.
 */
export async function findPostgresTools() {
  const folders = [
    ...(process.env.GATEHOUSE_CITUS_DIR ? [join(process.env.GATEHOUSE_CITUS_DIR, 'bin')] : []),
    '/usr/lib/postgresql/18/bin',
    '',
  ];
  for (const folder of folders) {
    const tool = (name: string, ...parameters: string[]) => run(join(folder, name), parameters);
    const version = await tool('pg_dump', '--version').then(
      ({ stdout }) => Number(/ (\d+)/.exec(stdout)?.[1]),
      () => 0,
    );
    if (version >= OLDEST) return tool;
  }
  return undefined;
}
