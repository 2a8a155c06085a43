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
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';

type Manifest = { bin?: Record<string, string>; exports?: Record<string, string> } & Record<string, unknown>;

const folder = resolve(process.argv[2] ?? '.');
const root = resolve(import.meta.dirname, '../../..');
const dist = resolve(process.argv[3] ?? join(folder, 'dist'));

rmSync(dist, { recursive: true, force: true });
compile();
bringShared();
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
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', config, '--outDir', dist],
    {
      stdio: 'inherit',
    },
  );
}

/** Moves the compiled package to the top, with the code that it shares with the server below it. */
function bringShared(): void {
  const own = join(dist, basename(folder), 'src');
  if (!existsSync(own)) return;
  renameSync(join(dist, 'protocol/src'), join(own, 'protocol'));
  for (const file of globSync('**/*.{js,d.ts}', { cwd: own })) {
    const path = join(own, file);
    const code = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      code.replace(/'((?:\.\.\/)*)\.\.\/\.\.\/protocol\/src\//g, (_, up) => `'${up || './'}protocol/`),
    );
  }
  cpSync(own, dist, { recursive: true });
  rmSync(join(dist, basename(folder)), { recursive: true });
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
