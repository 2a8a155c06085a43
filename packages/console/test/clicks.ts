import type { Visit } from './visit.ts';

/** A page whose clicks and keys the browser counts, so that a script cannot leave one out. Letters of a text do not count. */
export interface Counted extends Pick<Visit, 'page'> {
  /** Throws if a field got text without a click or a key before, as `fill` does. */
  counts(): Promise<Counts>;
}

interface Counts {
  clicks: number;
  keys: number;
}

/** Opens the page where a script begins, and counts from there. */
export async function begin({ page, goto }: Visit, address: string): Promise<Counted> {
  await page.addInitScript(count);
  await goto(address);
  return {
    page,
    counts: async () => {
      const { unseen, ...counts } = await page.evaluate(
        () => JSON.parse(sessionStorage.getItem('counts') ?? '{}') as Partial<Counts> & { unseen?: number },
      );
      if (unseen) throw new Error('A field was filled without a click or a key. Use typeInto.');
      return { clicks: 0, keys: 0, ...counts };
    },
  };
}

/** The sum of several people's clicks and keys. */
export async function countsOf(...pages: Counted[]): Promise<Counts> {
  const all = await Promise.all(pages.map(({ counts }) => counts()));
  const sum = (name: keyof Counts) => all.reduce((total, one) => total + one[name], 0);
  return { clicks: sum('clicks'), keys: sum('keys') };
}

/** Runs in the browser. Keeps the counts in the session storage, which lasts until the page is closed. */
function count() {
  const add = (name: string) => {
    const counts = JSON.parse(sessionStorage.getItem('counts') ?? '{}') as Record<string, number>;
    sessionStorage.setItem('counts', JSON.stringify({ ...counts, [name]: (counts[name] ?? 0) + 1 }));
  };
  const isText = (target: EventTarget | null) =>
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.selectionStart !== null);
  const isModifier = (key: string) => ['Control', 'Shift', 'Alt', 'Meta'].includes(key);
  let typed = false;
  addEventListener('pointerdown', ({ isTrusted }) => isTrusted && add('clicks'), true);
  addEventListener(
    'keydown',
    ({ isTrusted, key, target, ctrlKey, metaKey }) => {
      const isLetter = isText(target) && key.length === 1 && !ctrlKey && !metaKey;
      typed = isLetter;
      if (isTrusted && !isLetter && !isModifier(key)) add('keys');
    },
    true,
  );
  addEventListener(
    'input',
    (event) => {
      if (event instanceof InputEvent && event.inputType === 'insertText' && !typed) add('unseen');
      typed = false;
    },
    true,
  );
}
