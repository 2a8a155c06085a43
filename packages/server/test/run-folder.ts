import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEEPER = 'cat > /dev/null; rm -rf "$0" || { sleep 2; rm -rf "$0"; }';

/**
 * A folder that is removed by `remove`, or when this process ends, however that ends: a shell holds it and waits
 * for its pipe to close.
 */
export async function openRunFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-run-'));
  const keeper = spawn('sh', ['-c', KEEPER, path], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const ended = once(keeper, 'exit');
  return {
    path,
    remove: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
}
