// @module-tag long
import type { Browser } from 'puppeteer-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FirefoxVisit, findFirefox, launchFirefox, OLDEST_FIREFOX, openFirefox } from './firefox.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { type Role, STAFF } from './seed-company.ts';

const path = await findFirefox();
if (path === undefined)
  process.stderr.write(
    `There is no Firefox ${OLDEST_FIREFOX} or newer; its tests are skipped. Install firefox-esr, or set FIREFOX_PATH.\n`,
  );

describe.skipIf(path === undefined)('in Firefox', () => {
  let gatehouse: ConsoleTest;
  let browser: Browser;
  const visits = new Map<Role, FirefoxVisit>();
  beforeAll(async () => {
    [gatehouse, browser] = await Promise.all([openConsole(), launchFirefox(path ?? '')]);
    for (const role of ['owner', 'manager', 'member'] as const)
      visits.set(role, await openFirefox(browser, gatehouse.home, STAFF[role]));
    return async () => {
      await browser.close();
      await gatehouse.close();
    };
  }, 120_000);
  afterEach(() => {
    for (const visit of visits.values()) expect(visit.problems().join('\n')).toBe('');
  });
  const as = (role: Role) => visits.get(role) as FirefoxVisit;

  test.each([
    ['Work', '/'],
    ['Apps', '/apps'],
    ['Accounts', '/accounts'],
    ['People', '/people'],
    ['Groups', '/groups'],
    ['Tasks', '/tasks'],
    ['Requests', '/requests'],
    ['New request', '/requests/new'],
    ['Reviews', '/reviews'],
    ['Policies', '/policies'],
    ['New policy', '/policies/new'],
    ['Events', '/events'],
    ['API keys', '/settings/api-keys'],
    ['Webhooks', '/settings/webhooks'],
    ['Profile', '/settings/profile'],
  ])('shows %s, without errors and without serious findings of axe', async (_name, address) => {
    const { goto, axe, page } = as('owner');
    await goto(address);
    expect(await axe()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });

  test.each(['/', '/apps', '/people', '/requests/new', '/policies/new'])(
    'fits %s into the width of a phone',
    async (address) => {
      const { goto, page } = as('owner');
      await page.setViewport({ width: 390, height: 800 });
      await goto(address);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBe(0);
      await page.setViewport({ width: 1440, height: 900 });
    },
  );

  test('finds a person with Ctrl-K', async () => {
    const { goto, page, sees } = as('owner');
    await goto('/');
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await page.waitForSelector('[role=dialog] [role=combobox]:focus');
    await page.keyboard.type('Marta');
    await page.waitForFunction(() =>
      document
        .querySelector('[role=dialog] [role=option][aria-selected=true]')
        ?.textContent?.includes('Marta Silva'),
    );
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Marta Silva');
    await sees('marta.silva@acme.example');
  });

  test('requests access from the catalog', async () => {
    const { goto, press, page, fill, settled } = as('member');
    await goto('/requests/new?q=Sales%20EMEA');
    await press('button', 'Choose Sales EMEA in Customer CRM');
    await fill('Reason', 'Asked in Firefox.');
    await press('button', 'Request access');
    await page.waitForFunction(() => /^REQ-\d+/.test(document.querySelector('h1')?.textContent ?? ''));
    await settled();
  });

  test('decides an item of a review by keyboard, and takes it back', async () => {
    const { goto, page, sees, press } = as('manager');
    await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}?decision=none`);
    await page.waitForSelector('tbody [type=checkbox]');
    await page.keyboard.press('j');
    await page.keyboard.press('y');
    await sees('Kept: ');
    await press('button', 'Undo');
    await sees('Undone');
  });

  test('shows another language after a choice in the account menu', async () => {
    const { goto, press, sees, page } = as('member');
    await goto('/');
    await press('button', 'Your account');
    await press('menuitemradio', 'Deutsch');
    await sees('Arbeit');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  });
});
