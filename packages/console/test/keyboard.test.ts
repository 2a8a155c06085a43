// @module-tag long
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openSharedConsole } from './harness.ts';
import { heading, tabTo } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  return gatehouse.close;
});

const hasFocus = (target: Locator) =>
  target.evaluate(
    (element) => element === document.activeElement || element.contains(document.activeElement),
  );

/** Returns whether a reader sees where the focus is: an outline, a border or a shadow that the element lacks without it. */
const isFocusSeen = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const look = () => {
      const parts = [element, element.parentElement, element.closest('tr')].filter((part) => part !== null);
      return parts
        .map((part) => getComputedStyle(part))
        .map((style) => [style.outline, style.boxShadow, style.borderColor, style.backgroundColor].join())
        .join();
    };
    const focused = look();
    element.blur();
    const blurred = look();
    element.focus();
    return focused !== blurred;
  });

test('skips to the content', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people');
  await page.keyboard.press('Tab');
  expect(await hasFocus(page.getByRole('link', { name: 'Skip to content' }))).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => hasFocus(page.locator('main'))).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

test('shows the focus at every stop, in the order of the page', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people');
  await page.locator('tbody a').first().waitFor();
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important; }');
    document.adoptedStyleSheets.push(still);
  });
  const unseen: string[] = [];
  const regions: string[] = [];
  for (let stop = 0; stop < 60; stop++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === document.body)) break;
    regions.push(
      await page.evaluate(() => {
        const { activeElement: at } = document;
        // A page has a header in its main element, too.
        return (at?.closest('main') ?? at?.closest('header, nav'))?.tagName ?? 'A';
      }),
    );
    if (!(await isFocusSeen(page)))
      unseen.push(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160) ?? ''));
  }
  expect(unseen).toEqual([]);
  // After the last stop, the browser returns to the first.
  const order = regions.filter((region, at) => region !== regions[at - 1]);
  expect(order.slice(0, 4)).toEqual(['A', 'HEADER', 'NAV', 'MAIN']);
});

test.each([
  ['/settings/api-keys', 'Create API key'],
  ['/people', 'Add person'],
  ['/', 'Keyboard shortcuts'],
])('on %s, returns the focus to “%s” when its dialog closes', async (address, name) => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(address);
  const opener = page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name, exact: true }));
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expect.poll(() => hasFocus(dialog)).toBe(true);
  for (let stop = 0; stop < 25; stop++) await page.keyboard.press('Tab');
  expect(await hasFocus(dialog)).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(opener.first())).toBe(true);
});

test('opens a row, the search and the account menu without a mouse', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/policies');
  await tabTo(page, page.getByRole('link', { name: 'Leavers lose every account' }));
  await page.keyboard.press('Enter');
  await heading(page, 'Leavers lose every account').waitFor();

  const search = page.getByRole('button', { name: 'Search', exact: true });
  await tabTo(page, search);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(search)).toBe(true);

  const account = page.getByRole('button', { name: 'Your account' });
  await tabTo(page, account);
  await page.keyboard.press('Enter');
  const profile = page.getByRole('menuitem', { name: 'My profile' });
  await profile.waitFor();
  await expect.poll(() => hasFocus(profile)).toBe(true);
  await page.keyboard.press('Enter');
  await heading(page, 'My profile').waitFor();
});

test('builds a condition without a mouse', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/policies/new?from=empty');
  await tabTo(page, page.getByRole('button', { name: 'Add condition' }));
  await page.keyboard.press('Enter');
  const row = page.getByRole('group', { name: 'Condition 1', exact: true });
  await tabTo(page, row.getByLabel('Field'));
  await page.keyboard.type('Department');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, row.getByRole('button', { name: 'Remove Condition 1' }));
  await page.keyboard.press('Enter');
  await row.waitFor({ state: 'detached' });
});

test('opens the details of an item of a review, and returns to it', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}`);
  const details = page.getByRole('button', { name: /^Details of/ }).first();
  await details.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.waitFor();
  await expect.poll(() => hasFocus(drawer)).toBe(true);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(details)).toBe(true);
});
