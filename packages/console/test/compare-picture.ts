import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { ROOT } from '../../server/test/service.ts';

const BASELINES = join(import.meta.dirname, 'visual');
/** The pictures of failed comparisons. */
const FAILURES = join(ROOT, 'node_modules/.cache/gatehouse/visual');
/** `npm run visual:update` writes the baselines again. */
const isUpdate = process.env.GATEHOUSE_VISUAL === 'update';

/** Processors round colors differently along curves. A changed icon has more pixels than this. */
const MOST_PIXELS = 150;

/** Pages have large areas of one color, for which these make the smallest files. */
const SMALL = { colorType: 2, filterType: 0, deflateStrategy: 0, deflateLevel: 9 } as const;

const STEADY = `
  *, *::before, *::after { transition: none !important; animation: none !important; caret-color: transparent !important; }
  /* Notifications arrive when they arrive. */
  [data-hint='bell'] > span[aria-hidden] { visibility: hidden !important; }
  /* Charts show times. */
  figure svg, [class*='recharts'] svg { visibility: hidden !important; }
`;

/** Replaces what differs from seed to seed: times, IDs, and the colors that derive from them. */
export async function makeSteady(page: Page): Promise<void> {
  await page.evaluate((rules) => {
    // The content security policy blocks style elements.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets.push(sheet);
    const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
    const patterns: [RegExp, string][] = [
      [/[0-9a-f]{8}-[0-9a-f-]{27}/g, '01234567-89ab-cdef-0123-456789abcdef'],
      [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?/g, '2026-01-01 12:00:00'],
      [/\d{4}-\d\d-\d\d/g, '2026-01-01'],
      [new RegExp(`(${months})[a-z]* \\d{1,2}(, \\d{4})?`, 'g'), 'Jan 1, 2026'],
      [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, 'Mon'],
      [/\d{1,2}:\d\d(:\d\d)?\s[AP]M/g, '12:00 PM'],
      [/\b(in )?\d+ (second|minute|hour|day|month)s?( ago)?\b/g, '1 hour ago'],
      [/\b(just now|yesterday|today|tomorrow)\b/g, '1 hour ago'],
      [/\b[\d.]+ (ms|s|min|h)\b/g, '1 s'],
      // The people whose items are decided differ.
      [/\b\d+ (items? to review|undecided items?)\b/g, '1 item'],
      [/\b(127\.0\.0\.1|localhost):\d+/g, '$1:80'],
    ];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      let text = node.nodeValue ?? '';
      if (node.parentElement?.closest('time')) text = text.trim() === '' ? text : '1 hour ago';
      else for (const [pattern, word] of patterns) text = text.replace(pattern, word);
      if (text !== node.nodeValue) node.nodeValue = text;
    }
    for (const input of document.querySelectorAll('input'))
      for (const [pattern, word] of patterns)
        if (pattern.test(input.value)) input.value = input.value.replace(pattern, word);
    for (const avatar of document.querySelectorAll('[data-hue]')) avatar.setAttribute('data-hue', '0');
    (document.activeElement as HTMLElement | null)?.blur();
  }, STEADY);
}

/** Returns undefined if the page looks as in its baseline, or else a sentence about the difference. */
export async function comparePicture(page: Page, name: string): Promise<string | undefined> {
  await page.mouse.move(0, 0);
  await makeSteady(page);
  const actual = PNG.sync.read(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  const path = join(BASELINES, `${name}.png`);
  const bytes = await readFile(path).catch(() => undefined);
  const expected = bytes && PNG.sync.read(bytes);
  const { width, height } = actual;
  const same = expected?.width === width && expected.height === height;
  const difference = new PNG({ width, height });
  const count =
    expected !== undefined && same
      ? pixelmatch(expected.data, actual.data, difference.data, width, height, { threshold: 0.1 })
      : width * height;
  if (count <= MOST_PIXELS) return undefined;
  if (isUpdate) {
    await mkdir(BASELINES, { recursive: true });
    await writeFile(path, PNG.sync.write(actual, SMALL));
    return undefined;
  }
  await mkdir(FAILURES, { recursive: true });
  const [shown, marked] = [join(FAILURES, `${name}.png`), join(FAILURES, `${name}-difference.png`)];
  await writeFile(shown, PNG.sync.write(actual));
  await writeFile(marked, PNG.sync.write(difference));
  return `${name}: ${count} pixels differ from packages/console/test/visual/${name}.png (at most ${MOST_PIXELS} may). See ${shown} and ${marked}. If the change is intended, run \`npm run visual:update\`.`;
}
