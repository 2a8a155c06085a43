/** How long the browser keeps a value: forever, or until the tab is closed. */
type Where = 'browser' | 'tab';

const storageOf = (where: Where) => (where === 'browser' ? localStorage : sessionStorage);

/** Returns the value that this browser keeps under a key, or undefined. */
export function readKept<T>(key: string, where: Where = 'browser'): T | undefined {
  try {
    const text = storageOf(where).getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** Keeps a value as JSON. undefined removes it. */
export function keep(key: string, value: unknown, where: Where = 'browser'): void {
  try {
    if (value === undefined) storageOf(where).removeItem(key);
    else storageOf(where).setItem(key, JSON.stringify(value));
  } catch {
    // The browser forbids storage, or it is full: the value then lasts as long as the page.
  }
}
