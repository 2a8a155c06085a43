import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from './keeper.ts';
import { collectOutput, ROOT, startService } from './service.ts';

const GUIDES = [
  'README.md',
  'docs/provisioning.md',
  'docs/people.md',
  'docs/policies.md',
  'docs/requests.md',
  'docs/reviews.md',
  'docs/sign-in.md',
];

test.each(GUIDES)(
  'the commands in %s work as pasted on a fresh service',
  {
    timeout: 180_000,
  },
  async (guide) => {
    const tour = bashBlocks(await readFile(join(ROOT, guide), 'utf8'));
    expect(tour).not.toBe('');
    const folder = await openRunFolder();
    onTestFinished(folder.remove);
    const database = { dataDir: join(folder.path, 'data') };
    const service = await startService({ database, command: ['npm', 'start'] });
    onTestFinished(async () => {
      await service.stop();
    });

    const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', tour], {
      BASE: `${service.url}/org/acme`,
      KEY: service.key,
    });

    expect({ code, output }).toMatchObject({ code: 0 });
  },
);

function bashBlocks(markdown: string): string {
  return [...markdown.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n');
}

async function run(command: string, parameters: string[], environment: Record<string, string>) {
  const child = spawn(command, parameters, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}
