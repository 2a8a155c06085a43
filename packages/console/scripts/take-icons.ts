import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TABLER } from './icons.ts';
import { importedIcons } from './imported-icons.ts';

/** `npm run icons`: takes the icons that the console imports from Tabler Icons, and removes the others. */
const PACKAGE = join(import.meta.dirname, '../../../node_modules/@tabler/icons');

type Shape = [tag: string, attributes: Record<string, string>];

const nodes = JSON.parse(readFileSync(join(PACKAGE, 'tabler-nodes-outline.json'), 'utf8')) as Record<
  string,
  Shape[]
>;
const wanted = importedIcons(Object.keys(nodes));
const HEAD =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">';

mkdirSync(TABLER, { recursive: true });
for (const file of globSync('*.svg', { cwd: TABLER }))
  if (!wanted.includes(file.replace('.svg', ''))) rmSync(join(TABLER, file));
for (const name of wanted) {
  const shapes = (nodes[name] ?? []).map(([tag, attributes]) => {
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
    return `  <${tag}${written.join('')} />\n`;
  });
  writeFileSync(join(TABLER, `${name}.svg`), `${HEAD}\n${shapes.join('')}</svg>\n`);
}
