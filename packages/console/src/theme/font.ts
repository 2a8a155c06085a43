import { keep } from '../kit/browser/kept.ts';

/** public/start.js reads the same key before the first paint. */
const KEY = 'gatehouse-font';
const FONT = '13px Inter'; // oxlint-disable-line lingui/no-unlocalized-strings
/** The first page reads its content at most this long after its files. */
const AFTER_CONTENT_MS = 3000;

/**
 * Loads the font when the first page has its content, which it would delay. It takes effect on the next page, because it would move what
 * somebody is reading. Later visits use it from the start.
 */
export function loadFont(untilRead: () => Promise<void>, onNextPage: (show: () => void) => void): void {
  const root = document.documentElement;
  if (root.hasAttribute('data-font')) return;
  const load = async () => {
    await untilRead();
    const faces = await document.fonts.load(FONT);
    if (faces.length === 0) return;
    keep(KEY, true);
    onNextPage(() => root.setAttribute('data-font', ''));
  };
  // Without the font, the console looks a little different.
  const start = () => setTimeout(() => void load().catch(() => {}), AFTER_CONTENT_MS);
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}
