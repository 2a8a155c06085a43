import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Builds the console where it is not built from the sources as they are. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../scripts/build.ts')], {
    // What people get, not what Vitest's NODE_ENV would make of it.
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
