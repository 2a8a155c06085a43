import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeClients } from './clients.ts';
import { ROOT } from './manifest.ts';
import { makeServer } from './server.ts';

/** Packs the server, and the clients unless they are left out, into `folder`, with SHA256SUMS. Returns the names of the files. */
export function packInto(folder: string, { clients }: { clients: boolean }): string[] {
  const stage = mkdtempSync(join(tmpdir(), 'gatehouse-packs-'));
  try {
    const folders = [stageServer(stage), ...(clients ? makeClients(stage) : [])];
    mkdirSync(folder, { recursive: true });
    // An earlier version beside the new one would be built into the image.
    for (const name of packsIn(folder)) rmSync(join(folder, name));
    const options = ['--pack-destination', folder, '--ignore-scripts', '--silent'];
    execFileSync('npm', ['pack', ...folders, ...options], {
      cwd: stage,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  const packs = packsIn(folder);
  const sums = packs.map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return packs;
}

function stageServer(stage: string): string {
  for (const name of ['console', 'help'])
    execFileSync(process.execPath, [join(ROOT, `packages/${name}/scripts/build.ts`)], { stdio: 'inherit' });
  const server = join(stage, 'server');
  mkdirSync(server);
  makeServer(server);
  return server;
}

const packsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .sort();
