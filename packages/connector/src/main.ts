import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { createRedactor, type Redactor } from '../../protocol/src/redact.ts';
import { useProxy } from './agents.ts';
import { type Command, type Environment, resultJson, settingsOf, type Values } from './commands/context.ts';
import { commands } from './commands/index.ts';
import type { Clock } from './confirmation.ts';
import type { Connector } from './define.ts';
import { Exit, Failure, isTaskError, reason } from './errors.ts';
import { endWithReader } from './pipes.ts';
import { createProgress, type Progress } from './progress.ts';
import { isUnreachable } from './trial.ts';

export type Terminal = {
  env: Environment;
  stdin: NodeJS.ReadableStream;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown; isTTY?: boolean };
  signal: AbortSignal;
  /** The clock for reading accounts back after tasks. */
  clock?: Clock;
};

/**
 * Runs the command line of a connector. Call it at the end of the connector's file: `await main(connector, import.meta)`.
 * Does nothing if the file was imported.
 */
export async function main(connector: Connector, meta: { url: string }): Promise<void> {
  const started = process.argv[1];
  if (started === undefined || realpathSync(started) !== realpathSync(fileURLToPath(meta.url))) return;
  // Records are short-lived, so a small young generation halves the memory at no cost.
  setFlagsFromString('--optimize-for-size');
  const interruption = interruptible();
  const { env, stdin, stdout, stderr } = process;
  process.exitCode = await runCommandLine(connector, process.argv.slice(2), {
    env,
    stdin,
    stdout,
    stderr,
    signal: interruption,
  });
  // A request to a system that never replies would keep the process.
  if (interruption.aborted) process.exit();
}

/**
 * The first signal ends the run cleanly: it abandons the session and finishes the current task. A second one kills. The end of the
 * program that reads the output counts as a signal.
 */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      controller.abort(new Failure('interrupted', Exit.interrupted));
      process.once(name, () => process.exit(Exit.interrupted));
    });
  }
  endWithReader(() => controller.abort(new Failure('nobody reads the output', Exit.unread)));
  return controller.signal;
}

/** Runs one command of a connector and returns the exit code. */
export async function runCommandLine(
  connector: Connector,
  args: string[],
  terminal: Terminal,
): Promise<Exit> {
  const { stdout, stderr, signal } = terminal;
  const [name, ...rest] = args;
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    stdout.write(help(connector));
    return name === undefined ? Exit.usage : Exit.ok;
  }
  if (name === '--version') {
    stdout.write(`${connector.version}\n`);
    return Exit.ok;
  }
  const redactor = createRedactor();
  const progress = createProgress(redactor, stderr);
  try {
    useProxy(terminal.env);
    return await runCommand(connector, name, rest, { ...terminal, redactor, progress });
  } catch (error) {
    progress.close();
    if (isUnread(signal)) return Exit.unread;
    const known = (error instanceof Failure ? undefined : connector.mapError?.(error)) ?? error;
    // Redacted first: JSON escapes some characters of secrets.
    const why = redactor.text(reason(known));
    stderr.write(`error: ${why}\n`);
    if (rest.includes('--json'))
      stdout.write(`${resultJson({ ...failureOf(connector, known), error: why })}\n`);
    return signal.aborted ? Exit.interrupted : exitOf(known);
  } finally {
    progress.close();
  }
}

const isUnread = ({ reason: why }: AbortSignal) => why instanceof Failure && why.exit === Exit.unread;

async function runCommand(
  connector: Connector,
  name: string,
  args: string[],
  terminal: Terminal & { redactor: Redactor; progress: Progress },
): Promise<Exit> {
  const { stdout, redactor } = terminal;
  const command = commands[name];
  if (!command)
    throw new Failure(
      `unknown command "${name}"; commands are ${Object.keys(commands).join(', ')}`,
      Exit.usage,
    );
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(helpOf(name, command));
    return Exit.ok;
  }
  const print = (text: string) => void stdout.write(`${redactor.text(text)}\n`);
  return command.run({ ...terminal, connector, values: parse(command, args), print });
}

function failureOf(connector: Connector, error: unknown) {
  if (error instanceof Failure && error.stop !== undefined) return error.stop;
  if (isRefusal(connector, error)) return { outcome: 'credentials_refused' };
  return { outcome: isUnreachable(error) ? 'unreachable' : 'failed' };
}

/** A sync ends with a failure of its own, whose cause is the error of the system. */
function isRefusal(connector: Connector, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const known = (error instanceof Failure ? undefined : connector.mapError?.(error)) ?? error;
  return exitOf(known) === Exit.auth || isRefusal(connector, error.cause);
}

function exitOf(error: unknown): Exit {
  if (error instanceof Failure) return error.exit;
  if (!isTaskError(error)) return Exit.failed;
  if (error.code === 'PERMISSION_DENIED') return Exit.auth;
  return error.code === 'RATE_LIMITED' || error.code === 'TIMEOUT' ? Exit.later : Exit.failed;
}

function parse(command: Command, args: string[]): Values {
  try {
    return parseArgs({ args, options: command.options, strict: true, allowPositionals: false })
      .values as Values;
  } catch (error) {
    throw new Failure(reason(error), Exit.usage);
  }
}

function help(connector: Connector): string {
  const lines = [
    `${connector.name} ${connector.version}`,
    ...(connector.description ? [connector.description] : []),
    '',
    'Commands:',
  ];
  for (const [name, { summary }] of Object.entries(commands)) lines.push(`  ${name.padEnd(10)} ${summary}`);
  lines.push('', 'Settings (--set NAME=VALUE, environment, or --config FILE):');
  for (const { name, variable, description, secret, required } of settingsOf(connector)) {
    const notes = [secret ? 'secret, not settable by a flag' : '', required ? '' : 'optional']
      .filter(Boolean)
      .join(', ');
    lines.push(`  ${name.padEnd(14)} ${variable.padEnd(28)} ${description}${notes ? ` (${notes})` : ''}`);
  }
  lines.push(
    '',
    'Service settings: GATEHOUSE_URL, GATEHOUSE_API_KEY (or GATEHOUSE_API_KEY_FILE), GATEHOUSE_APP.',
    '',
  );
  return lines.join('\n');
}

function helpOf(name: string, { summary, options }: Command): string {
  const lines = [`${name}: ${summary}`, ''];
  for (const [flag, { value, description }] of Object.entries(options)) {
    lines.push(`  ${`--${flag}${value ? ` ${value}` : ''}`.padEnd(24)} ${description}`);
  }
  return `${lines.join('\n')}\n`;
}
