/** The files of the repository that contain its version, and what each should contain. */

export interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
}

interface LockFile {
  version?: string;
  packages: Record<string, Manifest>;
}

/** Returns a manifest with the version, and with exactly this version of the repository's own packages. */
export function withVersion<M extends Manifest>(manifest: M, version: string): M {
  const { dependencies } = manifest;
  if (dependencies === undefined) return { ...manifest, version };
  const own = Object.entries(dependencies).map(([name, range]) => [name, isOwn(name) ? version : range]);
  return { ...manifest, version, dependencies: Object.fromEntries(own) };
}

/** Returns a lock file with the version in the entries of the repository's own packages. */
export function withVersionInLock(lock: LockFile, version: string): LockFile {
  const packages = Object.entries(lock.packages).map(([folder, entry]) => [
    folder,
    folder.includes('node_modules/') ? entry : withVersion(entry, version),
  ]);
  return { ...lock, version, packages: Object.fromEntries(packages) };
}

/** Replaces the version in a text, by the place at which it stands. Throws if the text does not have it. */
export function withVersionAt(text: string, place: RegExp, version: string): string {
  if (!place.test(text)) throw new Error(`The text does not match ${place}.`);
  return text.replace(place, (_, before: string, after: string) => `${before}${version}${after}`);
}

const isOwn = (name: string) => name.startsWith('@gatehouse/');
