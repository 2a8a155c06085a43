import { readFileSync } from 'node:fs';

const router = readFileSync(new URL('../src/router.tsx', import.meta.url), 'utf8');
const [, file] = /page\('\/', \(\) => import\('\.\/(.+?)'\)/.exec(router) ?? [];
if (file === undefined) throw new Error('router.tsx names no page for "/".');

/** The file of the page after sign-in, as router.tsx names it, such as src/pages/home/home-page.tsx. */
export const firstPage = `src/${file}`;
