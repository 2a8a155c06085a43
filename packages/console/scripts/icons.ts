import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeGenerated } from './generated.ts';

/**
 * Generates src/kit/icons/icons.ts and src/apps/app-marks.ts from the SVG files in icons/. The build, the tests and the check of types import
 * this file first. `npm run icons` takes the files of icons/tabler from Tabler Icons, whose 18,000 files `npm start` would have to install.
 */
const ROOT = join(import.meta.dirname, '..');
export const TABLER = join(ROOT, 'icons/tabler');
const APPS = join(ROOT, 'icons/apps');

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const version: string = manifest.devDependencies['@tabler/icons'];

/** Returns the name of a component, such as `IconMenu2` for `menu-2`. */
export const componentOf = (name: string) =>
  `Icon${name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}`;

/** Returns the pictures in a folder by their names, in their order: the paths of each. */
function picturesIn(folder: string): [name: string, paths: string[]][] {
  const files = globSync('*.svg', { cwd: folder }).sort();
  return files.map((file) => [
    basename(file, '.svg'),
    pathsOf(file, readFileSync(join(folder, file), 'utf8')),
  ]);
}

function pathsOf(file: string, svg: string): string[] {
  const shapes = [...svg.matchAll(/<(?!\/|svg\b)([^>]*)>/g)].map(([, shape = '']) => shape);
  return shapes.map((shape) => {
    const [, path] = /^path d="([^"]*)"\s*\/$/.exec(shape) ?? [];
    if (path === undefined)
      throw new Error(`${file} consists of more than plain paths, which the console does not draw.`);
    return path;
  });
}

const icons = picturesIn(TABLER).map(
  ([name, paths]) =>
    `export const ${componentOf(name)} = icon(${paths.map((path) => `'${path}'`).join(', ')});\n`,
);
writeGenerated(
  join(ROOT, 'src/kit/icons/icons.ts'),
  `/**
 * @license Tabler Icons ${version} - MIT, Copyright (c) Paweł Kuna, https://github.com/tabler/tabler-icons
 *
 * Generated from packages/console/icons/tabler. To use another icon, import it from this file and run \`npm run icons\`.
 */
import { icon } from './icon.ts';

${icons.sort().join('')}`,
);

const marks = picturesIn(APPS).map(
  ([name, paths]) => `  ${JSON.stringify(name)}: ${JSON.stringify(paths.join(''))},\n`,
);
writeGenerated(
  join(ROOT, 'src/apps/app-marks.ts'),
  `// Generated from packages/console/icons/apps. Change the files there, not this one.
/** The marks of well-known applications as paths of an SVG of 24 by 24, by name in lower case without spaces. */
export const MARKS: Readonly<Record<string, string>> = {
${marks.join('')}};
`,
);
