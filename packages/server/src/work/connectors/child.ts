import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedactor } from '../../../../protocol/src/redact.ts';
import { activeIsolation, CONNECTORS, extraAuthorities, type Isolation, readable } from './isolation.ts';

const GUARD = join(import.meta.dirname, 'guard.ts');

const LONGEST_OUTPUT = 1024 * 1024;
const LONGEST_LOG = 64 * 1024;
const GRACE_MS = 10_000;
const WATCH_MS = 500;

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
  /** Megabytes of resident memory. Half of it is for the heap. */
  memory: number;
  /** Milliseconds between SIGTERM, on which a connector abandons its session, and SIGKILL. */
  graceMs?: number;
  /** Defaults to the one that was set at startup. */
  isolation?: Isolation;
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
  const { wrapper, ids } = await (request.isolation ?? activeIsolation()).prepare(folder);
  const authorities = extraAuthorities();
  const [command = '', ...words] = [...wrapper, process.execPath];
  const child = spawn(
    command,
    [...words, ...optionsFor(folder, request.memory), join(CONNECTORS, program), ...args],
    {
      ...ids,
      cwd: folder,
      env: {
        ...env,
        // A wrapper ends with the server, and the process with its wrapper.
        ...(wrapper.length === 0 ? { GATEHOUSE_SERVER: String(process.pid) } : {}),
        ...(authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
        NODE_NO_WARNINGS: '1',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A separate group, so that a signal to the server's group does not end it without a report.
      detached: true,
    },
  );
  const exited = once(child, 'exit') as Promise<Exit>;
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  if (child.pid !== undefined) request.onStart?.(child.pid);
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
    void kill(child, why === 'out_of_memory' ? 0 : (request.graceMs ?? GRACE_MS), ended.signal);
  };
  const limit = setTimeout(() => end('timed_out'), limitMs);
  const onAbort = () => end('stopped');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) end('stopped');
  void watchMemory(child, request.memory, ended.signal, () => end('out_of_memory'));
  try {
    const [code, killedBy] = unwrapped(await exited);
    // A process that it started could hold the pipes open. The permissions forbid it to start any.
    await Promise.race([closed, sleep(1000)]);
    const { text: redact, longest } = createRedactor(secrets);
    const ranOutOfHeap = killedBy === 'SIGABRT' || /heap out of memory/.test(log.text());
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

const optionsFor = (folder: string, megabytes: number) => [
  '--permission',
  '--allow-net',
  // For the thread of guard.ts, which then drops the permission.
  '--allow-worker',
  ...[...readable(), folder].map((path) => `--allow-fs-read=${path}`),
  `--allow-fs-write=${folder}`,
  `--max-old-space-size=${Math.floor(megabytes / 2)}`,
  '--import',
  GUARD,
];

type Exit = [code: number | null, killedBy: NodeJS.Signals | null];

/** A wrapper exits with 128 and the number of the signal that ended its process. */
function unwrapped([code, killedBy]: Exit): Exit {
  const [name] = Object.entries(constants.signals).find(([, number]) => number + 128 === code) ?? [];
  return name === undefined ? [code, killedBy] : [null, name as NodeJS.Signals];
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

/** Returns the process of the connector: the innermost one, if it has a wrapper. A connector starts none. */
async function innermost(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const [child] = children.split(' ').filter(Boolean);
  return child === undefined ? pid : innermost(Number(child));
}

/** Ends a process: first with SIGTERM, on which a wrapper would end without it, then its group with SIGKILL. */
async function kill({ pid }: ChildProcess, graceMs: number, ended: AbortSignal): Promise<void> {
  if (pid === undefined) return;
  const send = (to: number, name: NodeJS.Signals) => {
    try {
      process.kill(to, name);
    } catch {
      // It has ended.
    }
  };
  if (graceMs > 0) {
    send(await innermost(pid), 'SIGTERM');
    await sleep(graceMs, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
  }
  send(-pid, 'SIGKILL');
}

/** The limit of the heap does not cover buffers, so the whole process is watched where the system shows its memory. */
async function watchMemory(
  { pid }: ChildProcess,
  megabytes: number,
  ended: AbortSignal,
  onExcess: () => void,
) {
  while (pid !== undefined && !ended.aborted) {
    const status = await readFile(`/proc/${await innermost(pid)}/status`, 'utf8').catch(() => '');
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    if (kilobytes > megabytes * 1024) {
      onExcess();
      return;
    }
    await sleep(WATCH_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}
