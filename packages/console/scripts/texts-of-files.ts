import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path/posix';
import { formatter } from '@lingui/format-po';
import { firstCards, firstPage } from './first-page.ts';

/**
 * Finds the translations that a file needs before it runs. A file that is loaded on demand needs those of all files that it imports, except
 * those of the first page, which are loaded before everything else.
 */
const ROOT = join(import.meta.dirname, '..');

/** The file whose texts include those of the first page. */
export const APP = 'src/app.tsx';

const STATIC = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+\.tsx?)'/gm;
export const ON_DEMAND = /(?<!typeof )\bimport\('(\.[^']+\.tsx?)'\)/g;

const sources = new Map<string, string>();
function sourceOf(file: string): string {
  const source = sources.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
  sources.set(file, source);
  return source;
}

/** Returns the path of an imported file from the console's folder. */
export const resolved = (from: string, to: string) => normalize(join(from, '..', to));

const importsOf = (file: string, pattern: RegExp): string[] =>
  [...sourceOf(file).matchAll(pattern)]
    .map(([, to = '']) => resolved(file, to))
    // Other packages have no texts of the console.
    .filter((to) => to.startsWith('src/'));

function withImports(file: string, files = new Set<string>()): Set<string> {
  if (files.has(file)) return files;
  files.add(file);
  for (const imported of importsOf(file, STATIC)) withImports(imported, files);
  return files;
}

let shell: ReadonlySet<string> | undefined;
/** Returns the files of the frame and the first page. */
const shellFiles = () => (shell ??= withImports(firstPage, withImports(APP)));

let first: ReadonlySet<string> | undefined;
/** Returns the files of the frame and the first page, with its cards. */
export function firstFiles(): ReadonlySet<string> {
  if (first !== undefined) return first;
  const files = new Set(shellFiles());
  for (const card of firstCards) withImports(card, files);
  first = files;
  return files;
}

/** Returns the files that are loaded on demand and have what is drawn, apart from those of the first page. */
export function laterFiles(): ReadonlySet<string> {
  const all = globSync('src/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.ts'] });
  const onDemand = all.flatMap((file) => importsOf(file.replaceAll('\\', '/'), ON_DEMAND));
  return new Set(onDemand.filter((file) => file.endsWith('.tsx') && !firstFiles().has(file)));
}

/** Returns the files whose texts must be loaded before this one runs. */
export const filesBefore = (file: string): ReadonlySet<string> =>
  file === APP ? firstFiles() : withImports(file).difference(firstFiles());

/** Returns the files that this one loads in addition to the first page, and that show sentences of the server. */
export const showServerText = (file: string): string[] =>
  [...withImports(file).difference(shellFiles())].filter((each) => sourceOf(each).includes('serverText('));

const po = formatter();

/** The messages of a file, by their ids. */
type ByFile = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Returns the translations by the files whose texts they are. */
export async function translationsByFile(locale: string, catalogs: readonly string[]): Promise<ByFile> {
  const byFile = new Map<string, Map<string, string>>();
  for (const path of catalogs) {
    const context = { locale, sourceLocale: 'en', filename: path };
    const messages = await po.parse(readFileSync(path, 'utf8'), context);
    for (const [id, { translation = '', origin = [], obsolete }] of Object.entries(messages)) {
      if (obsolete === true || translation === '') continue;
      for (const [file] of origin) {
        const known = byFile.get(file) ?? new Map<string, string>();
        byFile.set(file, known.set(id, translation));
      }
    }
  }
  return byFile;
}

/** Returns the translations of these files. */
export function translationsOf(files: ReadonlySet<string>, byFile: ByFile): Record<string, string> {
  const found = [...files].sort().flatMap((file) => [...(byFile.get(file) ?? [])]);
  return Object.fromEntries(found);
}
