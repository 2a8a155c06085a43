import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedactor } from './redact.ts';

/** The folder of this repository, which also has the programs of the connectors. */
const ROOT = join(import.meta.dirname, '../../../..');
const GUARD = join(import.meta.dirname, 'guard.ts');
export const CONNECTORS = join(ROOT, 'connectors');

const HEAP_MEGABYTES = 384;
const RESIDENT_MEGABYTES = 768;
const LONGEST_OUTPUT = 1024 * 1024;
const LONGEST_LOG = 64 * 1024;
/** Between SIGTERM, on which a connector abandons its session, and SIGKILL. */
const GRACE_MS = 10_000;
const WATCH_MS = 500;
const PRIORITY_BELOW_SERVER = 5;

/** Of the code that a connector runs. The data folder of the server, which may hold its secret key, is not among them. */
const READABLE = [
  'node_modules',
  'connectors',
  'packages/connector',
  'packages/server/package.json',
  'packages/server/node_modules',
  'packages/server/src/connectors/guard.ts',
  'packages/server/src/platform/http/addresses.ts',
  'packages/server/src/platform/http/names.ts',
].map((path) => join(ROOT, path));
const SYSTEM_FILES = ['/etc/hosts', '/etc/resolv.conf'];

export interface ChildRequest {
  /** In the folder `connectors`. */
  program: string;
  args: readonly string[];
  /** Passed on standard input, so that no process list and no environment shows it. */
  input: object;
  env: Readonly<Record<string, string>>;
  /** The only folder that the process may write to. */
  folder: string;
  limitMs: number;
  /** Ends the process. */
  signal: AbortSignal;
  /** Values that must not appear in the output. */
  secrets: readonly string[];
  /** Megabytes of resident memory. */
  memory?: number;
  /** Called once the process runs. */
  onStart?: (pid: number) => void;
}

export interface ChildOutcome {
  /** Why it ended. `exited` includes processes that someone else killed. */
  ending: 'exited' | 'timed_out' | 'stopped' | 'out_of_memory';
  code: number | null;
  killedBy: NodeJS.Signals | null;
  /** Standard output without secrets. Undefined if it was longer than allowed. */
  output: string | undefined;
  /** The end of standard error without secrets. */
  log: string;
}

/**
 * Runs a program of a connector with bounded memory, time and output. It may read its code only, write to one folder only,
 * start nothing, and connect to allowed addresses only (guard.ts). It ends when the server is gone.
 */
export async function runChild(request: ChildRequest): Promise<ChildOutcome> {
  const { program, args, input, env, folder, limitMs, signal, secrets } = request;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const child = spawn(process.execPath, [...optionsFor(folder), join(CONNECTORS, program), ...args], {
    cwd: folder,
    env: { ...env, GATEHOUSE_SERVER: String(process.pid), NODE_NO_WARNINGS: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate group, so that a signal to the server's group does not end it without a report.
    detached: true,
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  if (child.pid !== undefined) {
    yieldToServer(child.pid);
    request.onStart?.(child.pid);
  }
  // The process may end before it has read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(input));
  const output = collect(child.stdout, LONGEST_OUTPUT, 'start');
  const log = collect(child.stderr, LONGEST_LOG * 2, 'end');
  let ending: ChildOutcome['ending'] = 'exited';
  const ended = new AbortController();
  const end = (why: ChildOutcome['ending']) => {
    if (ending !== 'exited') return;
    ending = why;
    void kill(child, why === 'out_of_memory' ? 0 : GRACE_MS, ended.signal);
  };
  const limit = setTimeout(() => end('timed_out'), limitMs);
  const onAbort = () => end('stopped');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) end('stopped');
  void watchMemory(child, request.memory ?? RESIDENT_MEGABYTES, ended.signal, () => end('out_of_memory'));
  try {
    const [code, killedBy] = await exited;
    // A process that it started could hold the pipes open. The permissions forbid it to start any.
    await Promise.race([closed, sleep(1000)]);
    const { redact, longest } = createRedactor(secrets);
    const ranOutOfHeap = code === 134 || killedBy === 'SIGABRT' || /heap out of memory/.test(log.text());
    return {
      ending: ending === 'exited' && ranOutOfHeap ? 'out_of_memory' : ending,
      code,
      killedBy,
      output: output.isCut() ? undefined : redact(output.text()),
      // The cut may have left the end of a secret, which nothing would recognize.
      log: redact(log.isCut() ? log.text().slice(longest) : log.text()).slice(-LONGEST_LOG),
    };
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', onAbort);
    ended.abort();
  }
}

const optionsFor = (folder: string) => [
  '--permission',
  '--allow-net',
  // For the thread of guard.ts, which then drops the permission.
  '--allow-worker',
  ...[...READABLE, ...SYSTEM_FILES, folder].map((path) => `--allow-fs-read=${path}`),
  `--allow-fs-write=${folder}`,
  `--max-old-space-size=${HEAP_MEGABYTES}`,
  '--import',
  GUARD,
];

/** A definition can keep a processor busy. Requests to the server come first. */
function yieldToServer(pid: number) {
  try {
    setPriority(pid, Math.min(getPriority() + PRIORITY_BELOW_SERVER, constants.priority.PRIORITY_LOW));
  } catch {
    // It has ended.
  }
}

/** Keeps the start or the end of a stream, so that a process cannot fill the memory of the server. */
function collect(stream: NodeJS.ReadableStream, most: number, part: 'start' | 'end') {
  let kept = '';
  let isCut = false;
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    kept += chunk;
    if (kept.length <= most) return;
    isCut = true;
    kept = part === 'start' ? kept.slice(0, most) : kept.slice(-most);
  });
  return { text: () => kept, isCut: () => isCut };
}

/** Ends a process and what it started: first with SIGTERM, then with SIGKILL. */
async function kill(child: ChildProcess, graceMs: number, ended: AbortSignal): Promise<void> {
  const send = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  if (graceMs > 0) {
    send('SIGTERM');
    await sleep(graceMs, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
  }
  send('SIGKILL');
}

/** The limit of the heap does not cover buffers, so the whole process is watched where the system shows its memory. */
async function watchMemory(child: ChildProcess, megabytes: number, ended: AbortSignal, onExcess: () => void) {
  while (!ended.aborted) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    if (kilobytes > megabytes * 1024) {
      onExcess();
      return;
    }
    await sleep(WATCH_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}
