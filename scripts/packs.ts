// Makes the packages of a release in dist-release: npm installs them without a copy of this repository (docs/guides/install.md).
//
//   npm run packs              all packages, and SHA256SUMS
//   npm run packs -- server    the package of the server, and SHA256SUMS
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeClients } from './packs/clients.ts';
import { ROOT } from './packs/manifest.ts';
import { makeServer } from './packs/server.ts';

const FOLDER = join(ROOT, 'dist-release');

function packServer(stage: string): string[] {
  for (const name of ['console', 'help'])
    execFileSync(process.execPath, [join(ROOT, `packages/${name}/scripts/build.ts`)], { stdio: 'inherit' });
  const server = join(stage, 'server');
  mkdirSync(server);
  makeServer(server);
  return [server];
}

const onlyServer = process.argv.includes('server');
const stage = mkdtempSync(join(tmpdir(), 'gatehouse-packs-'));
try {
  const folders = [...packServer(stage), ...(onlyServer ? [] : makeClients(stage))];
  mkdirSync(FOLDER, { recursive: true });
  // An earlier version beside the new one would be built into the image.
  for (const name of packed()) rmSync(join(FOLDER, name));
  execFileSync(
    'npm',
    ['pack', ...folders, '--pack-destination', FOLDER, '--ignore-scripts', '--loglevel=error', '--silent'],
    {
      cwd: stage,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
} finally {
  rmSync(stage, { recursive: true, force: true });
}

const sums = packed().map((name) => {
  const file = join(FOLDER, name);
  console.log(`${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB  dist-release/${name}`);
  return `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${name}\n`;
});
writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));

function packed(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.tgz'))
    .sort();
}
