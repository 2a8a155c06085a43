import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Node.js removes no types from files inside node_modules, so installed packages hold JavaScript. */

/** A path to a source in quotes: of an import, of a worker, or in a list of files. */
const SOURCE_PATH = /(['"])([#@.\w/-]+)\.ts\1/g;

/** Returns the JavaScript of a source. Spaces replace types, so a stack trace has the lines and columns of the source. */
export function compile(source: string): string {
  return stripTypeScriptTypes(source).replace(SOURCE_PATH, '$1$2.js$1');
}

/** Compiles the sources of a folder, without tests, into the same places below `target`. Returns the paths of the new files. */
export function compileFolder(root: string, target: string, folder: string): string[] {
  const sources = globSync('**/*.ts', {
    cwd: join(root, folder),
    exclude: ['**/*.test.ts', '**/*.d.ts', '**/test/**', '**/node_modules/**', '**/dist/**'],
  });
  return sources.map((source) => {
    const code = compile(readFileSync(join(root, folder, source), 'utf8'));
    const file = join(target, folder, source.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
    return file;
  });
}

/** Replaces imports of a package of this repository by paths, since it lies in the same package after the installation. */
export function importByPath(files: readonly string[], places: Readonly<Record<string, string>>) {
  for (const file of files) {
    const code = readFileSync(file, 'utf8').replace(
      /(['"])(@gatehouse\/[\w/-]+)\1/g,
      (whole, quote, name) => {
        const place = places[name as string];
        if (place === undefined) return whole;
        const path = relative(dirname(file), place);
        return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
      },
    );
    writeFileSync(file, code);
  }
}

/** Copies the files of a folder that match a pattern into the same places below `target`. */
export function copyFiles(root: string, target: string, folder: string, pattern: string[]) {
  for (const file of globSync(pattern, { cwd: join(root, folder), exclude: ['**/node_modules/**'] }))
    cpSync(join(root, folder, file), join(target, folder, file), { recursive: true });
}
