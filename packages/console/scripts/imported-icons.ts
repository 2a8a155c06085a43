import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { componentOf } from './icons.ts';

const SOURCES = join(import.meta.dirname, '../src');

/** Returns those of the names of icons that the console imports, in their order. Throws an error if it imports another one. */
export function importedIcons(names: readonly string[]): string[] {
  const imports = /import \{([^}]*)\} from '[^']*\/icons\.ts'/g;
  const components = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(imports)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim().replace(/ as .*/, '')),
    ),
  );
  const byComponent = new Map(names.map((name) => [componentOf(name), name]));
  return [...new Set(components)]
    .filter(Boolean)
    .map((component) => {
      const name = byComponent.get(component);
      if (name === undefined)
        throw new Error(`No icon ${component}. Run npm run icons, or check its name at tabler.io/icons.`);
      return name;
    })
    .sort();
}
