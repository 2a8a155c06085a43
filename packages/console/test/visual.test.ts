// @module-tag long
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { launchPinnedChromium } from './chromium.ts';
import { comparePicture } from './compare-picture.ts';
import { type OwnServerTest, openServer } from './harness.ts';
import type { Seeded } from './seed.ts';
import { type Role, STAFF } from './seed-company.ts';
import { openVisit, type Visit } from './visit.ts';

interface State {
  name: string;
  address: string | ((seeded: Seeded) => string);
  as?: Role | null;
  width?: number;
  dark?: boolean;
  german?: boolean;
  /** Opens a dialog or a menu. */
  open?: (page: Page) => Promise<void>;
}

const openKeys = async (page: Page) => {
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
};
const openFind = async (page: Page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
};

const STATES: State[] = [
  { name: 'sign-in', address: '/sign-in', as: null },
  { name: 'overview', address: '/' },
  { name: 'apps', address: '/apps' },
  { name: 'new-app', address: '/apps/new' },
  { name: 'app-groups', address: ({ apps }) => `/apps/${apps.crm}?tab=groups` },
  { name: 'app-licenses', address: ({ apps }) => `/apps/${apps.crm}?tab=licenses` },
  { name: 'app-settings', address: ({ apps }) => `/apps/${apps.crm}?tab=settings` },
  { name: 'accounts', address: '/accounts?sort=email' },
  { name: 'people', address: '/people?sort=email' },
  { name: 'person', address: ({ people }) => `/people/${people['marta.silva@acme.example']}` },
  { name: 'groups', address: '/groups' },
  { name: 'catalog', address: '/requests/new?q=Sales', as: 'member' },
  { name: 'request', address: ({ tickets }) => `/requests/${tickets.mine}`, as: 'member' },
  { name: 'my-team', address: '/team', as: 'manager' },
  { name: 'reviews', address: '/reviews' },
  { name: 'policies', address: '/policies' },
  { name: 'new-policy', address: '/policies/new?from=empty' },
  { name: 'api-keys', address: '/settings/api-keys' },
  { name: 'api-keys-new', address: '/settings/api-keys?new=true' },
  { name: 'identity-provider', address: '/settings/identity-provider' },
  { name: 'profile', address: '/settings/profile' },
  { name: 'not-found', address: '/nothing/here' },
  { name: 'keyboard-shortcuts', address: '/groups', open: openKeys },
  { name: 'find', address: '/groups', open: openFind },
  { name: 'apps-narrow', address: '/apps', width: 390 },
  { name: 'person-narrow', address: ({ people }) => `/people/${people[STAFF.member]}`, width: 390 },
  { name: 'catalog-narrow', address: '/requests/new?q=Sales', as: 'member', width: 390 },
  { name: 'apps-dark', address: '/apps', dark: true },
  { name: 'new-policy-dark', address: '/policies/new?from=empty', dark: true },
  { name: 'catalog-narrow-dark', address: '/requests/new?q=Sales', as: 'member', width: 390, dark: true },
  { name: 'policies-german', address: '/policies', german: true },
];

let gatehouse: OwnServerTest;
let browser: Browser;
const visits = new Map<Role | null, Visit>();
beforeAll(async () => {
  [gatehouse, browser] = await Promise.all([openServer(), launchPinnedChromium()]);
  return async () => {
    await browser.close();
    await gatehouse.close();
  };
});

/** Opens one window for each person, which all their states use. */
async function visitAs(as: Role | null): Promise<Visit> {
  const open = visits.get(as) ?? (await openVisit(browser, gatehouse, { as: as && STAFF[as] }));
  visits.set(as, open);
  return open;
}

test.each(STATES)('$name', async ({ name, address, as = 'owner', width = 1280, dark, german, open }) => {
  const { page, goto, settled } = await visitAs(as);
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
  if (german) await page.evaluate(() => localStorage.setItem('gatehouse-language', 'de'));
  await goto(typeof address === 'string' ? address : address(gatehouse.seeded));
  await open?.(page);
  await settled();
  expect(await comparePicture(page, name)).toBeUndefined();
});
