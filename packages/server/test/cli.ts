import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { DatabaseOptions } from '../src/kit/database/open.ts';
import { SECRET_KEY } from './secrets.ts';
import { ROOT } from './service.ts';

export interface CliOptions {
  /** The operator's input. */
  input?: string;
  environment?: Record<string, string>;
}

/** Runs `gatehouse-server` on a test database. */
export async function runCli(
  { url = '', dataDir = '' }: DatabaseOptions,
  words: string[],
  { input = '', environment = {} }: CliOptions = {},
) {
  const child = spawn(process.execPath, ['packages/server/src/cli.ts', ...words], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: url,
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_SECRET_KEY: SECRET_KEY,
      ...environment,
    },
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
}
