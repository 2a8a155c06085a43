// Prints how much the browser loads for the page after sign-in, in the compression that browsers ask for, and how much each other page adds.
// Fails when the first page exceeds its limit, or the build has more files than its limit. Run it after `vite build`.
import { readFile, stat } from 'node:fs/promises';
import { TEXTS } from '../texts.plugin.ts';

// A little more than now, so that a part of a page that slips into the first one is found.
const LIMIT_KB = 172;
const LIMIT_GERMAN_KB = 179;
const LIMIT_CARDS_KB = 10;
const LIMIT_FILES = 175;
const dist = new URL('../dist/', import.meta.url);

interface Chunk {
  file: string;
  name?: string;
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

const sizeOf = async (file: string) => {
  const compressed = await stat(new URL(`${file}.br`, dist)).catch(() => stat(new URL(file, dist)));
  return compressed.size / 1000;
};
const sum = async (files: Iterable<string>) =>
  (await Promise.all([...files].map(sizeOf))).reduce((total, size) => total + size, 0);

const keyOf = (isIt: (key: string, chunk: Chunk) => boolean, what: string): string => {
  const found = Object.entries(manifest).find(([key, chunk]) => isIt(key, chunk));
  if (found === undefined) throw new Error(`The build does not contain ${what}.`);
  return found[0];
};
const named = (name: string) => keyOf((_, chunk) => chunk.name === name, name);
/** The translations that are loaded before a file. */
const textsOf = (file: string) =>
  keyOf((key) => key.endsWith(`${TEXTS}de/${file}.js`), `the German of ${file}`);

const isWithin = { all: true };
/** Prints a sum, and notes whether it is over its limit. */
async function report(what: string, files: Iterable<string>, limit: number) {
  const total = await sum(files);
  console.log(`${total.toFixed(1).padStart(7)} KB  ${what} (limit ${limit})`);
  if (total > limit) isWithin.all = false;
}

const first = filesOf('index.html');
filesOf(named('app'), first);
for (const file of ['index.html', 'start.js']) first.add(file);
for (const file of first) console.log(`${(await sizeOf(file)).toFixed(1).padStart(7)} KB  ${file}`);
await report(`first page, ${first.size} files`, first, LIMIT_KB);
await report('the same in German', filesOf(textsOf('src/app.tsx'), new Set(first)), LIMIT_GERMAN_KB);
const cards = filesOf(named('cards')).difference(first);
await report(`its cards, ${cards.size} files`, cards, LIMIT_CARDS_KB);

const pages = Object.keys(manifest).filter(
  (name) => name.startsWith('src/pages/') && name.endsWith('-page.tsx'),
);
for (const page of pages) {
  const more = [...filesOf(page)].filter((file) => !first.has(file));
  console.log(`${(await sum(more)).toFixed(1).padStart(7)} KB  added by ${page.slice('src/pages/'.length)}`);
}
// Without the files that the build has kept from the one before.
const built = await readFile(new URL('assets-built', dist), 'utf8');
const scripts = built.split('\n').filter((file) => file.endsWith('.js') && !file.startsWith('de-'));
console.log(`${scripts.length} scripts without translations (limit ${LIMIT_FILES})`);
if (!isWithin.all || scripts.length > LIMIT_FILES) process.exitCode = 1;
