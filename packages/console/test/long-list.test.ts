// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openEmptyConsole } from './harness.ts';
import { addApp, sync } from './seed-apps.ts';

const ROWS = 10_000;
const FRAMES = 150;
/** The speed at which somebody flings a list on a phone: 24,000 pixels a second at 60 frames a second. */
const STEP = 400;
const MOST_DRAWN = 100;

let gatehouse: ConsoleTest<undefined>;
let app: string;
beforeAll(async () => {
  gatehouse = await openEmptyConsole();
  app = await addApp(gatehouse.api, 'Long List');
  await sync(gatehouse.api, app, { name: 'Long List', groups: [], licenses: [], accounts: accounts() });
  return gatehouse.close;
}, 120_000);

const accounts = () =>
  Array.from({ length: ROWS }, (_, number) => ({
    id: `account-${number}`,
    email: `account-${number}@long.example`,
    username: `account-${number}`,
    display_name: `Account ${number}`,
    status: 'active' as const,
    memberships: { group: [] },
    assignments: {},
  }));

const drawn = (page: Page) => page.locator('tbody tr').count();

/** Scrolls to the end of the page, and waits until it is drawn. */
const toEnd = (page: Page) =>
  page.evaluate(async () => {
    scrollTo(0, document.documentElement.scrollHeight);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  });

/** Scrolls in every frame. Returns how many rows there were at most, how many were made in all, and how far it came in pixels. */
async function scrollFast({ frames, step }: { frames: number; step: number }) {
  let most = 0;
  let made = 0;
  const count = (changes: MutationRecord[]) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof HTMLTableRowElement) made++;
  };
  const observer = new MutationObserver(count);
  observer.observe(document.body, { childList: true, subtree: true });
  const start = scrollY;
  for (let frame = 0; frame < frames; frame++) {
    scrollBy(0, step);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    most = Math.max(most, document.querySelectorAll('tbody tr').length);
  }
  count(observer.takeRecords());
  observer.disconnect();
  return { most, made, distance: scrollY - start };
}

test('loads 10,000 rows as their end comes into view, and only draws those near the visible part', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts?app=${app}&as_of=${new Date().toISOString()}`);
  await page.getByRole('button', { name: 'Show more' }).click();
  const all = page.getByText('10,000 accounts', { exact: true });
  while ((await all.count()) === 0) await toEnd(page);
  expect(await drawn(page)).toBeLessThan(MOST_DRAWN);
  const table = page.getByRole('table', { name: 'Accounts' });
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(`${ROWS + 1}`);
  const last = page.locator(`tr[aria-rowindex="${ROWS + 1}"]`);
  await expect.poll(() => toEnd(page).then(() => last.count())).toBe(1);

  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('tr[aria-rowindex="2"]').waitFor();
  const row = await page
    .locator('tbody tr')
    .nth(1)
    .evaluate((element) => element.clientHeight);
  const { most, made, distance } = await page.evaluate(scrollFast, { frames: FRAMES, step: STEP });
  expect(most).toBeLessThan(MOST_DRAWN);
  // Each row that comes into view is made about once, not again in every frame, which would make 30 to 40 rows in each.
  expect(made).toBeLessThanOrEqual(1.5 * (distance / row));
}, 150_000);

test('moves the focus by keyboard beyond the rows that are drawn', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts?app=${app}&as_of=${new Date().toISOString()}`);
  const more = page.getByRole('button', { name: 'Show more' });
  await more.click();
  await page.getByText('250 accounts shown', { exact: false }).waitFor();
  const focused = () =>
    page.evaluate(() => Number(document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')));
  // The first key press moves to the first row that is drawn.
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('tr[aria-rowindex="2"]').waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  for (let step = 0; step < 60; step++) await page.keyboard.press('j');
  await expect.poll(focused).toBe(61);
  // The focused row stays when it is out of view.
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('tr[aria-rowindex="2"]').waitFor();
  expect(await focused()).toBe(61);
  await page.keyboard.press('k');
  await expect.poll(focused).toBe(60);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}/);
});

test('follows the event log beyond 200 rows', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/events?follow=true');
  const table = page.getByRole('table', { name: 'Events' });
  await table.locator('tbody tr').first().waitFor();
  const people = Array.from({ length: 260 }, (_, number) => `follow-${number}@long.example`);
  await gatehouse.api.postCsv('/api/users/import/', ['email', ...people].join('\n'));
  // A table of more than 200 rows counts them.
  await expect.poll(() => table.getAttribute('aria-rowcount'), { timeout: 30_000 }).toMatch(/^[23]\d\d$/);
  expect(await drawn(page)).toBeLessThan(MOST_DRAWN);
});
