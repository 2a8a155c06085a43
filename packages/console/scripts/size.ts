// Prints how much the browser loads for the overview, gzipped, and how much each other page adds.
// Fails when the overview exceeds 250 KB. Run it after `vite build`.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const LIMIT_KB = 250;
const dist = new URL('../dist/', import.meta.url);

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8')) as Record<
  string,
  Chunk
>;

/** The files of a chunk and of everything it imports statically. */
function filesOf(name: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`The build does not contain ${name}.`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const imported of chunk.imports ?? []) filesOf(imported, files);
  return files;
}

const zipped = async (file: string) => gzipSync(await readFile(new URL(file, dist))).length / 1024;
const sum = async (files: Iterable<string>) =>
  (await Promise.all([...files].map(zipped))).reduce((total, size) => total + size, 0);

const first = filesOf('index.html');
filesOf('src/app.tsx', first);
filesOf('src/pages/overview/overview-page.tsx', first);
for (const file of ['index.html', 'scheme.js', 'start.js', 'gatehouse.svg']) first.add(file);

for (const file of first) console.log(`${(await zipped(file)).toFixed(1).padStart(7)} KB  ${file}`);
const total = await sum(first);
console.log(`${total.toFixed(1).padStart(7)} KB  first load of the overview, gzipped (limit ${LIMIT_KB})`);

const pages = Object.keys(manifest).filter(
  (name) => name.startsWith('src/pages/') && name.endsWith('-page.tsx'),
);
for (const page of pages) {
  const more = [...filesOf(page)].filter((file) => !first.has(file));
  console.log(`${(await sum(more)).toFixed(1).padStart(7)} KB  added by ${page.slice('src/pages/'.length)}`);
}
if (total > LIMIT_KB) process.exitCode = 1;
