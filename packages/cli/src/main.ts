#!/usr/bin/env node
import { createRedactor, Exit, Failure } from '@gatehouse/connector';
import { CommanderError } from 'commander';
import { recall } from './credentials.ts';
import { createProgram } from './program.ts';

await useLogin();

// The reader of a pipe may leave; that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? Exit.ok : Exit.failed),
);

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}

function explain(error: unknown): number {
  // Commander has said what it had to say: help and version end well, anything else was a usage error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.ok : Exit.usage;
  const redactor = createRedactor();
  redactor.add(process.env.GATEHOUSE_API_KEY);
  process.stderr.write(`error: ${redactor.text(error instanceof Error ? error.message : String(error))}\n`);
  return error instanceof Failure ? error.exit : Exit.failed;
}

/** What `login` kept is used where the environment says nothing, and its key for its own service only. */
async function useLogin(): Promise<void> {
  const { env } = process;
  const kept = await recall(env);
  if (!kept) return;
  env.GATEHOUSE_URL ||= kept.url;
  if (env.GATEHOUSE_URL.replace(/\/+$/, '') === kept.url && !env.GATEHOUSE_API_KEY_FILE)
    env.GATEHOUSE_API_KEY ||= kept.key;
}
