import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '#cli.ts';
import type { DatabaseOptions } from '#kit/database/open.ts';
import { SECRET_KEY } from './secrets.ts';

export interface CliOptions {
  /** The operator's input. */
  input?: string;
  environment?: Record<string, string>;
}

/** Runs a command of `gatehouse-server` on a test database, in this process: starting one takes longer than most commands. */
export async function runCli(
  { url = '', dataDir = '' }: DatabaseOptions,
  words: string[],
  { input = '', environment = {} }: CliOptions = {},
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = {
    DATABASE_URL: url,
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_SECRET_KEY: SECRET_KEY,
    ...environment,
  };
  const code = await run(words, { env, stdin: Readable.from([input]), stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}
