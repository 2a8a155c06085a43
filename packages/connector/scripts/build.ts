/**
 * Builds a package for publication: JavaScript, types and a package.json in `dist/` or another folder. Inside this repository
 * packages are used from their TypeScript sources. Usage: `node scripts/build.ts FOLDER [TARGET]`.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

type Manifest = { bin?: Record<string, string>; exports?: Record<string, string> } & Record<string, unknown>;

const folder = resolve(process.argv[2] ?? '.');
const root = resolve(import.meta.dirname, '../../..');
const dist = resolve(process.argv[3] ?? join(folder, 'dist'));

const compiled = `${dist}-compiled`;
/** The path from a file to what the packages share with the server. */
const SHARED = /'((?:\.\.\/)*)\.\.\/\.\.\/(?:packages\/)?protocol\/src\//g;

rmSync(dist, { recursive: true, force: true });
compile();
takeCompiled();
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`);
for (const [file, from] of [
  ['README.md', folder],
  ['definition.schema.json', folder],
  ['definitions', folder],
  ['examples', folder],
  ['LICENSE', root],
] as const) {
  if (existsSync(join(from, file))) cpSync(join(from, file), join(dist, file), { recursive: true });
}

function compile(): void {
  const config = join(folder, 'tsconfig.build.json');
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', config, '--outDir', compiled],
    {
      stdio: 'inherit',
    },
  );
}

/** Takes the compiled package, with the code that it shares with the server below it. */
function takeCompiled(): void {
  const name = basename(folder);
  const own = [join(compiled, name, 'src'), join(compiled, 'connectors', name)].find((path) =>
    existsSync(path),
  );
  for (const shared of ['protocol/src', 'packages/protocol/src'].map((path) => join(compiled, path)))
    if (own !== undefined && existsSync(shared)) renameSync(shared, join(own, 'protocol'));
  for (const file of globSync('**/*.{js,d.ts}', { cwd: own ?? compiled })) {
    const code = readFileSync(join(own ?? compiled, file), 'utf8');
    const target = join(dist, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(
      target,
      code.replace(SHARED, (_, up: string) => `'${up || './'}protocol/`),
    );
  }
  rmSync(compiled, { recursive: true });
}

/** Returns the manifest with sources replaced by built files. */
function published(): Manifest {
  const {
    private: _private,
    scripts: _scripts,
    devDependencies: _dev,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const built = (path: string, extension: string) =>
    path.replace(/^(\.\/)?src\//, './').replace(/\.ts$/, extension);
  const bin = Object.entries(manifest.bin ?? {}).map(([name, path]) => [name, built(path, '.js')] as const);
  for (const [, path] of bin) chmodSync(join(dist, path), 0o755);
  const exports = Object.entries(manifest.exports ?? {}).map(([name, path]) => [
    name,
    path.endsWith('.ts') ? { types: built(path, '.d.ts'), default: built(path, '.js') } : path,
  ]);
  return {
    ...manifest,
    ...(bin.length > 0 ? { bin: Object.fromEntries(bin) } : {}),
    ...(exports.length > 0 ? { exports: Object.fromEntries(exports) } : {}),
  };
}
