/**
 * Which pictures of docs/console are older than the page that they show. For each picture, docs/console/pictures.json has the route of its page,
 * and a hash of the files in `pages` of which this page consisted when the picture was taken. Shared controls do not count.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface TakenPicture {
  /** The route of the page, such as `/apps/$appId`. */
  page: string;
  sources: string;
}

export type Pictures = Record<string, TakenPicture>;

/** Reads a file of packages/console/src. Undefined: it does not exist. */
type Read = (path: string) => string | undefined;

const SOURCES = join(import.meta.dirname, '../../packages/console/src');

export const readSource: Read = (path) =>
  existsSync(join(SOURCES, path)) ? readFileSync(join(SOURCES, path), 'utf8') : undefined;

const ROUTE = /\bpage\(\s*'([^']+)',\s*\(\) => import\('\.\/(pages\/[^']+)'\)/g;
const IMPORT = /(?:from|import\()\s*'(\.\.?\/[^']+\.tsx?)'/g;

/** Returns the file of each route, from the console's router. */
function routesOf(read: Read): Map<string, string> {
  const routes = [...(read('router.tsx') ?? '').matchAll(ROUTE)];
  return new Map(routes.map(([, route = '', file = '']) => [route, file]));
}

/** Returns the route of an address. The one with the fewest parameters comes first. */
export function routeOf(address: string, read: Read): string {
  const path = address.replace(/[?#].*$/, '');
  const parameters = (route: string) => route.split('$').length;
  const matching = [...routesOf(read).keys()].filter((route) =>
    new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path),
  );
  const [found] = matching.sort((one, other) => parameters(one) - parameters(other));
  if (found === undefined) throw new Error(`The console has no page at ${address}.`);
  return found;
}

/** Returns a hash of the files of a page in `pages`. Undefined: the page does not exist. */
export function sourcesOf(route: string, read: Read): string | undefined {
  const first = routesOf(read).get(route);
  if (first === undefined) return undefined;
  const files = new Map<string, string>();
  const add = (path: string) => {
    const source = files.has(path) ? undefined : read(path);
    if (source === undefined) return;
    files.set(path, source);
    for (const [, to = ''] of source.matchAll(IMPORT)) {
      const imported = posix.join(posix.dirname(path), to);
      if (imported.startsWith('pages/')) add(imported);
    }
  };
  add(first);
  const hash = createHash('sha256');
  for (const [path, source] of [...files].sort()) hash.update(`${path}\n${source}\n`);
  return hash.digest('hex').slice(0, 16);
}

/** Returns a sentence for each picture that is not of the page as it is now. */
export function pictureProblems(names: readonly string[], pictures: Pictures, read: Read): string[] {
  const problems = names.flatMap((name) => {
    const taken = pictures[name];
    if (taken === undefined) return `docs/console/${name}.png is not in pictures.json.`;
    const sources = sourcesOf(taken.page, read);
    if (sources === undefined) return `docs/console/${name}.png shows ${taken.page}, which does not exist.`;
    return sources === taken.sources ? [] : `docs/console/${name}.png is older than the page ${taken.page}.`;
  });
  const missing = Object.keys(pictures).filter((name) => !names.includes(name));
  return [...problems, ...missing.map((name) => `docs/console/${name}.png does not exist.`)];
}
