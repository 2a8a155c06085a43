import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Builds the console, unless the build is up to date. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../scripts/build.ts')], {
    // Vitest sets NODE_ENV to test; tests need the production build.
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
