/** Returns one or two letters of a name: "GW" for Google Workspace. */
export function initialsOf(name: string): string {
  const letters = name.split(/[\s\-/]+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? []);
  return letters.slice(0, 2).join('').toUpperCase();
}

/** Other names of the applications whose marks are known. */
export const ALIASES: Readonly<Record<string, string>> = {
  gcp: 'googlecloud',
  googleworkspace: 'google',
  postgres: 'postgresql',
};

/** Returns the names under which the mark of an application may be known, the longest first: "googledrive", "google". */
export function markNames(name: string): string[] {
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.map((_, index) => words.slice(0, words.length - index).join(''));
}
