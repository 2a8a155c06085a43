import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, peersAmong, placesOf, readLockFile } from './bundle.ts';
import { type Manifest, ROOT, readManifest, writeJson } from './manifest.ts';

const CLI = 'packages/cli';

/** The folders of the SDK, the CLI and the connectors. */
const CLIENTS = [
  'packages/connector',
  CLI,
  ...globSync('connectors/*/package.json', { cwd: ROOT })
    .map((file) => file.replace('/package.json', ''))
    .sort(),
];

/**
 * Builds the packages of `CLIENTS`, each in a folder of its own below `target`, and returns these folders. The CLI brings the packages that
 * it needs: nobody installs it beside others. The SDK and the connectors are installed into a project, which needs a single SDK.
 */
export function makeClients(target: string): string[] {
  const { version } = readManifest('.');
  const built = Object.fromEntries(CLIENTS.map((folder) => [folder, join(target, folder)]));
  for (const [folder, dist] of Object.entries(built)) {
    const build = join(ROOT, 'packages/connector/scripts/build.ts');
    execFileSync(process.execPath, [build, join(ROOT, folder), dist], { stdio: 'inherit' });
    const file = join(dist, 'package.json');
    writeJson(file, withVersion(JSON.parse(readFileSync(file, 'utf8')) as Manifest, version));
  }
  const cli = built[CLI] as string;
  const lock = readLockFile(ROOT);
  const places = placesOf(lock, [CLI]);
  bundle(ROOT, cli, places, built);
  const file = join(cli, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const dependencies = { ...peersAmong(lock, places), ...manifest.dependencies };
  writeJson(file, { ...manifest, dependencies, bundleDependencies: Object.keys(dependencies) });
  return Object.values(built);
}

/** All packages of a release have the same version, and need each other in that version. */
function withVersion(manifest: Manifest, version: string | undefined): Manifest {
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, wanted]) => [
    name,
    name.startsWith('@gatehouse/') ? version : wanted,
  ]);
  return { ...manifest, version, dependencies: Object.fromEntries(dependencies) };
}
