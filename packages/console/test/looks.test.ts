// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleTest, openSharedConsole } from './harness.ts';
import type { Seeded } from './seed.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  return gatehouse.close;
});

const PAGES: Record<string, (seeded: Seeded) => string> = {
  work: () => '/',
  apps: () => '/apps',
  'settings of an app': ({ apps }) => `/apps/${apps.crm}?tab=settings`,
  'syncs of an app': ({ apps }) => `/apps/${apps.code}?tab=syncs`,
  accounts: () => '/accounts',
  access: () => '/access',
  person: ({ people }) => `/people/${people['marta.silva@acme.example']}`,
  findings: () => '/findings',
  tasks: () => '/tasks',
  policy: () => '/policies/new?from=team',
  review: ({ cycles }) => `/reviews/cycles/${cycles.open}?all=true`,
  profile: () => '/settings/profile',
};

/** Returns the sizes of all text of the page, in pixels, each with a text that has it. Initials are pictures. */
const sizesOn = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const sizes: Record<string, string> = {};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const words = node.textContent?.trim() ?? '';
      if (element === null || words === '' || element.closest('[aria-hidden], script, noscript') !== null)
        continue;
      sizes[getComputedStyle(element).fontSize] ??= words.slice(0, 40);
    }
    return sizes;
  });

describe('all text has one of five sizes', () => {
  test.each(Object.keys(PAGES))('%s', async (name) => {
    const { page, goto } = await gatehouse.visit('owner');
    await goto(PAGES[name]?.(gatehouse.seeded) ?? '/');
    const { '12px': _s, '13px': _m, '15px': _l, '20px': _xl, '28px': _xxl, ...others } = await sizesOn(page);
    expect(others).toEqual({});
  });
});

test('lists have rows of one line, which fit into the window, and show what is cut', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  for (const address of ['/accounts', '/people', '/apps', '/access']) {
    await goto(address);
    const heights = await page
      .locator('tbody tr[data-href]')
      .evaluateAll((rows) => [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))]);
    expect(
      heights.filter((height) => height > 38),
      address,
    ).toEqual([]);
    const isWide = await page
      .locator('table')
      .first()
      .evaluate((table) => table.clientWidth > (table.parentElement?.clientWidth ?? 0) + 1);
    expect(isWide, address).toBe(false);
  }
});

test('the first visit reads in another font, and the next page has the one of Gatehouse', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await page.addInitScript(() => localStorage.removeItem('gatehouse-font'));
  await goto('/');
  const root = page.locator('html');
  await expect.poll(() => root.getAttribute('data-font')).toBeNull();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('gatehouse-font')), { timeout: 30_000 })
    .toBe('true');
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await expect.poll(() => root.getAttribute('data-font')).toBe('');
  expect(await page.evaluate(() => document.fonts.check('13px Inter'))).toBe(true);
});
