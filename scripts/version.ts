// Writes the version of package.json into all other files that contain it. `npm version 1.1.0 --no-git-tag-version` changes package.json
// and runs this. With --check, reports the files that have another version, and writes nothing.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withVersion, withVersionAt, withVersionInLock } from './release/version.ts';

const ROOT = join(import.meta.dirname, '..');
const OWN = '{packages/*,connectors/*,connectors/sql/drivers/*}';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

const asJson = (change: (value: never, version: string) => object) => (text: string) =>
  `${JSON.stringify(change(JSON.parse(text) as never, version), null, 2)}\n`;
const at = (place: RegExp) => (text: string) => withVersionAt(text, place, version);

const files: Record<string, (text: string) => string> = {
  ...changing(`${OWN}/package.json`, asJson(withVersion)),
  ...changing(`{,${OWN}/}package-lock.json`, asJson(withVersionInLock)),
  'packages/protocol/src/version.ts': at(/(VERSION = ')[^']*(')/),
  'deploy/kubernetes/kustomization.yaml': at(/(newTag: )\S+()/),
  'connectors/types.json': (text) => text.replaceAll(/^( {4}"version": ")[^"]*/gm, `$1${version}`),
};

const different = Object.entries(files).filter(([file, change]) => change(read(file)) !== read(file));
if (!process.argv.includes('--check')) {
  for (const [file, change] of different) writeFileSync(join(ROOT, file), change(read(file)));
  console.log(`${different.length} files were changed to version ${version}.`);
} else if (different.length > 0) {
  for (const [file] of different)
    console.error(`${file} does not have the version ${version}. Run: npm run version`);
  process.exitCode = 1;
}

function changing(pattern: string, change: (text: string) => string) {
  const found = globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' });
  return Object.fromEntries(found.sort().map((file) => [file, change]));
}
