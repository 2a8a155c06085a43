import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/**
 * A package brings the packages that it needs, in the versions of package-lock.json: npm reads no lock file from a tarball, and would
 * install other versions than those that the tests ran with.
 */

interface LockedPackage {
  version?: string;
  /** A package of this repository, which is in the folder `resolved`. */
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

/** Returns the entry of the lock file that `name` means in the package at `path`, as Node.js finds it. */
function resolve({ packages }: LockFile, path: string, name: string): string | undefined {
  const parts = path.split('/');
  for (let length = parts.length; length >= 0; length--) {
    if (parts[length - 1] === 'node_modules') continue;
    const candidate = [...parts.slice(0, length), 'node_modules', name].filter(Boolean).join('/');
    const found = packages[candidate];
    if (found !== undefined) return found.link === true ? found.resolved : candidate;
  }
  return undefined;
}

/** Returns the names of the packages that a package needs. Optional ones are for a platform, or only faster. */
function needsOf(lock: LockFile, path: string): string[] {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = lock.packages[path] ?? {};
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const optional = Object.keys(optionalDependencies);
  return [...new Set([...Object.keys(dependencies), ...peers])].filter((name) => !optional.includes(name));
}

/**
 * Returns where each package goes, by its place below the new package, and from which entry of the lock file it comes. `starts` are the
 * packages of this repository of which the new package consists. Leaves out `excluded`.
 */
export function placesOf(
  lock: LockFile,
  starts: readonly string[],
  excluded: (name: string) => boolean = () => false,
): Map<string, string> {
  const places = new Map<string, string>();
  const waiting: { place: string; needs: { name: string; entry: string }[] }[] = [];
  const needs = (path: string) =>
    needsOf(lock, path)
      .filter((name) => !excluded(name))
      .map((name) => {
        const entry = resolve(lock, path, name);
        if (entry === undefined) throw new Error(`package-lock.json has no ${name}, which ${path} needs.`);
        return { name, entry };
      });
  waiting.push({ place: '', needs: starts.flatMap(needs) });
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const { name, entry } of next.needs) {
      const seen = nearest(places, next.place, name);
      if (seen !== undefined && isSame(lock, seen, entry)) continue;
      // At the top, unless another version is there.
      const place = `${seen === undefined ? '' : next.place}node_modules/${name}/`;
      if (places.has(place)) throw new Error(`Two versions of ${name} are needed at the same place.`);
      places.set(place, entry);
      waiting.push({ place, needs: needs(entry) });
    }
  }
  return places;
}

/** Returns the versions of the packages at the top that others expect beside them. npm packs these only if the manifest names them. */
export function peersAmong(
  { packages }: LockFile,
  places: ReadonlyMap<string, string>,
): Record<string, string> {
  const peers = [...places.values()].flatMap((entry) => Object.keys(packages[entry]?.peerDependencies ?? {}));
  const there = [...new Set(peers)].sort().flatMap((name) => {
    const entry = places.get(`node_modules/${name}/`);
    const version = entry === undefined ? undefined : packages[entry]?.version;
    return version === undefined ? [] : [[name, version] as const];
  });
  return Object.fromEntries(there);
}

const isSame = ({ packages }: LockFile, one: string, other: string) =>
  one === other || (packages[one]?.version === packages[other]?.version && !one.startsWith('packages/'));

/** Returns the entry that the package at `place` would find. */
function nearest(places: ReadonlyMap<string, string>, place: string, name: string): string | undefined {
  for (let above = place; ; above = above.slice(0, above.lastIndexOf('node_modules/'))) {
    const found = places.get(`${above}node_modules/${name}/`);
    if (found !== undefined || above === '') return found;
  }
}

const LICENSE = /^(licen[cs]e|copying|notice)/i;
const UNUSED = /\.(map|md|markdown|flow|[cm]?ts|tsbuildinfo)$/i;
const FOLDERS_OF_TESTS = ['test', 'tests', '__tests__', 'benchmark', 'benchmarks'];

/** Whether a file of an installed package is needed to run it, or has its license. `path`: in the package. */
export function isNeeded(path: string): boolean {
  const parts = path.split('/');
  if (parts.includes('node_modules')) return false;
  if (FOLDERS_OF_TESTS.includes(parts[0] ?? '')) return false;
  return LICENSE.test(basename(path)) || !UNUSED.test(path);
}

/** Copies the packages. `built` has the folders of those of this repository. */
export function bundle(
  root: string,
  target: string,
  places: ReadonlyMap<string, string>,
  built: Readonly<Record<string, string>> = {},
) {
  for (const [place, entry] of places) {
    const from = built[entry] ?? join(root, entry);
    if (!existsSync(join(from, 'package.json'))) throw new Error(`${entry} is not installed.`);
    cpSync(from, join(target, place), {
      recursive: true,
      dereference: true,
      filter: (file) => file === from || isNeeded(relative(from, file)),
    });
    dropOptional(join(target, place, 'package.json'));
  }
}

/** Otherwise npm would install the optional packages of a bundled one, in versions that nobody has tried. */
function dropOptional(file: string) {
  const { optionalDependencies, ...manifest } = JSON.parse(readFileSync(file, 'utf8')) as object & {
    optionalDependencies?: object;
  };
  if (optionalDependencies !== undefined) writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

export const readLockFile = (root: string): LockFile =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
