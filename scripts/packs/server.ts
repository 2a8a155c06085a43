import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, peersAmong, placesOf, readLockFile } from './bundle.ts';
import { compileFolder, copyFiles, importByPath } from './compile.ts';
import { type Manifest, ROOT, readManifest, writeJson } from './manifest.ts';

/**
 * Makes the package @gatehouse/server in an empty folder: the server, its connectors, and the built pages of the console and the help, in
 * the same places as in the repository.
 */
export function makeServer(target: string) {
  const connectors = connectorFolders();
  const sources = [
    'packages/server',
    'packages/connector',
    ...connectors.map((name) => `connectors/${name}`),
  ];
  compileFolder(ROOT, target, 'packages/server/src');
  compileFolder(ROOT, target, 'packages/protocol/src');
  const files = ['packages/connector/src', ...connectors.map((name) => `connectors/${name}`)].flatMap(
    (folder) => compileFolder(ROOT, target, folder),
  );
  importByPath(files, {
    '@gatehouse/connector': join(target, 'packages/connector/src/index.js'),
    '@gatehouse/connector/declarative': join(target, 'packages/connector/src/declarative/index.js'),
  });
  copyFiles(ROOT, target, 'packages/server', ['migrations/*.sql']);
  for (const name of connectors)
    copyFiles(ROOT, target, `connectors/${name}`, [
      'definition.schema.json',
      'definitions/*',
      'drivers/*/package{,-lock}.json',
    ]);
  writeManifests(target, connectors);
  writeTypes(target);
  copyFiles(ROOT, target, '.', ['LICENSE', 'deploy/**/*.*']);
  for (const name of ['console', 'help']) copyPages(target, `packages/${name}`);
  mkdirSync(join(target, 'bin'));
  cpSync(join(import.meta.dirname, 'gatehouse-server'), join(target, 'bin/gatehouse-server'));
  const lock = readLockFile(ROOT);
  const places = placesOf(lock, sources, (name) => name.startsWith('@gatehouse/'));
  bundle(ROOT, target, places);
  writeJson(join(target, 'package.json'), manifestOf(sources, peersAmong(lock, places)));
}

/** The folders of the connectors that the server runs. */
function connectorFolders(): string[] {
  const programs = readTypes().map(({ program }) => program.split('/')[0] as string);
  return [...new Set(programs)].sort();
}

const readTypes = () =>
  JSON.parse(readFileSync(join(ROOT, 'connectors/types.json'), 'utf8')) as { program: string }[];

function writeTypes(target: string) {
  const types = readTypes().map((type) => ({ ...type, program: type.program.replace(/\.ts$/, '.js') }));
  writeJson(join(target, 'connectors/types.json'), types);
}

/** Node.js reads the kind of module and the imports with `#` from them. */
function writeManifests(target: string, connectors: readonly string[]) {
  for (const folder of ['packages/protocol', 'packages/connector'])
    writeJson(join(target, folder, 'package.json'), { private: true, type: 'module' });
  writeJson(join(target, 'packages/server/package.json'), {
    private: true,
    type: 'module',
    imports: { '#*': './src/*' },
  });
  for (const name of connectors) {
    const { peerDependencies } = readManifest(`connectors/${name}`);
    const manifest = { private: true, type: 'module', ...(peerDependencies && { peerDependencies }) };
    writeJson(join(target, 'connectors', name, 'package.json'), manifest);
  }
}

/** Copies built pages, without the assets that an earlier build of this folder has left for open pages. */
function copyPages(target: string, folder: string) {
  const dist = join(ROOT, folder, 'dist');
  const built = globSync('assets-built', { cwd: dist }).flatMap((file) =>
    readFileSync(join(dist, file), 'utf8').split('\n'),
  );
  cpSync(dist, join(target, folder, 'dist'), {
    recursive: true,
    filter: (file) => {
      const [, asset] = /\/dist\/assets\/(.+)$/.exec(file) ?? [];
      return asset === undefined || built.includes(asset);
    },
  });
}

/** All dependencies are in the package, except for Node.js, which npm chooses for the platform. */
function manifestOf(sources: readonly string[], peers: Readonly<Record<string, string>>): Manifest {
  const { version, description, license, engines, optionalDependencies } = readManifest('.');
  const dependencies: Record<string, string> = {};
  for (const source of sources)
    for (const [name, wanted] of Object.entries(readManifest(source).dependencies ?? {})) {
      if (name.startsWith('@gatehouse/')) continue;
      dependencies[name] ??= wanted;
      if (dependencies[name] !== wanted)
        throw new Error(`${source} needs ${name}@${wanted}, and another package ${dependencies[name]}.`);
    }
  const all = { ...peers, ...dependencies };
  return {
    name: '@gatehouse/server',
    version,
    description,
    license,
    type: 'module',
    bin: { 'gatehouse-server': 'bin/gatehouse-server' },
    engines,
    dependencies: all,
    optionalDependencies,
    bundleDependencies: Object.keys(all),
  };
}
