import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';

const router = readFileSync(new URL('../src/router.tsx', import.meta.url), 'utf8');
const [, file] = /page\('\/', \(\) => import\('\.\/(.+?)'\)/.exec(router) ?? [];
if (file === undefined) throw new Error('router.tsx names no page for "/".');

/** The file of the page after sign-in, as router.tsx names it, such as src/pages/home/home-page.tsx. */
export const firstPage = `src/${file}`;

/** The cards of the first page: each is loaded for people with such work, and its texts and styles with the page. */
export const firstCards = globSync(join(firstPage, '../*-card.tsx'), {
  cwd: new URL('..', import.meta.url),
}).sort();
