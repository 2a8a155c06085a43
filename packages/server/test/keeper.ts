import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './temporary.ts';

/**
 * Runs `script`, with `subject` as its `$0`, when `release` is called or when this process ends for any reason. A
 * separate shell waits for its pipe to close, so an interrupted run leaves nothing behind.
 */
function keep(script: string, subject: string): { release(): Promise<void> } {
  const keeper = spawn('sh', ['-c', `cat > /dev/null; ${script}`, subject], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C must reach this process only.
    detached: true,
  });
  const ended = once(keeper, 'exit');
  return {
    release: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** Creates a folder that is removed when this process ends. */
export async function openRunFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(await temporaryFolder(), 'gatehouse-run-'));
  // A process that dies with this one may still be writing a file.
  const keeper = keep('rm -rf "$0" || { sleep 2; rm -rf "$0"; }', path);
  return { path, remove: keeper.release };
}

/** Ends the process group of `leader` with SIGTERM, and after ten seconds with SIGKILL. */
export function keepProcess(leader: number) {
  return keep(
    'kill -s TERM -- "-$0"; for i in $(seq 100); do kill -s 0 -- "-$0" || exit; sleep 0.1; done; kill -s KILL -- "-$0"',
    String(leader),
  );
}
