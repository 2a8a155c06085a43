#!/usr/bin/env node
import { createRedactor, Exit, endWithReader, Failure } from '@gatehouse/connector';
import { CommanderError } from 'commander';
import { readLogin } from './credentials.ts';
import { createProgram } from './program.ts';

await useLogin();

endWithReader();

try {
  await createProgram().parseAsync();
  // A request to a system that never replies would keep the process.
  if (process.exitCode === Exit.interrupted || process.exitCode === Exit.unread) process.exit();
} catch (error) {
  process.exitCode = reportError(error);
}

/** Prints the error without secrets and returns the exit code. */
function reportError(error: unknown): number {
  // Commander has already printed its message. Help and version exit with 0, everything else is a usage error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.ok : Exit.usage;
  const redactor = createRedactor();
  redactor.add(process.env.GATEHOUSE_API_KEY);
  process.stderr.write(`error: ${redactor.text(error instanceof Error ? error.message : String(error))}\n`);
  return error instanceof Failure ? error.exit : Exit.failed;
}

/** Uses the saved login where the environment is silent. Its key is used only with its own service. */
async function useLogin(): Promise<void> {
  const { env } = process;
  const login = await readLogin(env);
  if (!login) return;
  env.GATEHOUSE_URL ||= login.url;
  if (env.GATEHOUSE_URL.replace(/\/+$/, '') === login.url && !env.GATEHOUSE_API_KEY_FILE)
    env.GATEHOUSE_API_KEY ||= login.key;
}
