/** Files that a part of the program needs, and that could not be loaded. */
export class MissingFiles extends Error {
  readonly files: readonly string[];
  constructor(files: readonly string[]) {
    super(files.join(' '));
    this.files = files;
  }
}

/** The files that are loaded, or being loaded, by their addresses. */
const known = new Map<string, Promise<void>>();

/**
 * Loads the files of a part of the program, and then imports it. In the place of Vite's own function, which adds links: a browser never asks again
 * for a module that it could not load once, neither by a link nor by an import. So nothing is imported before all of it is in the
 * browser's cache. Throws MissingFiles without having imported anything, so that it can be tried again.
 *
 * @public vite.config.ts puts it in that place.
 */
export async function loadFirst<T>(part: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const addresses = files.map((file) => new URL(`/${file}`, location.href).href);
  const missing: string[] = [];
  await Promise.all(addresses.map((address) => loaded(address).catch(() => missing.push(address))));
  if (missing.length > 0) throw new MissingFiles(missing);
  return part();
}

function loaded(address: string): Promise<void> {
  const before = known.get(address);
  if (before !== undefined) return before;
  const load = isThere(address) ? Promise.resolve() : fetched(address);
  known.set(address, load);
  load.catch(() => known.delete(address));
  return load;
}

/** Whether the page itself has asked for the file. */
const isThere = (address: string): boolean =>
  [...document.getElementsByTagName('link')].some(({ href }) => href === address);

async function fetched(address: string): Promise<void> {
  const response = await fetch(address);
  // Also of a refusal: a response that nobody reads keeps its connection.
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
  if (address.endsWith('.css')) await styled(address);
}

/** Adds a style sheet that is in the cache. */
function styled(address: string): Promise<void> {
  const link = document.createElement('link');
  const isLoaded = new Promise<void>((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`Could not use ${address}`));
    };
  });
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = address;
  document.head.append(link);
  return isLoaded;
}
