// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { expectRows, heading, pickFrom, told } from './story.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const bot = (id: string, more: object) => ({ id, username: id, display_name: id, ...more });
const RECORDS = [
  bot('nightly-export', {
    last_sign_in_at: daysAgo(400),
    mfa_enabled: false,
    owner: STAFF.manager,
    attributes: { environment: 'Production', 'cost center': 4711, privileged: true },
  }),
  bot('invoice-import', {
    last_sign_in_at: daysAgo(120),
    mfa_enabled: true,
    owner: 'left.long.ago@acme.example',
  }),
  bot('health-check', { last_sign_in_at: daysAgo(2) }),
  bot('migration-2019', {}),
];

let gatehouse: ConsoleTest<Company>;
/** An app that reports these fields. */
let app: string;
let accounts: Record<string, string>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  const { api } = gatehouse;
  app = (await api.post('/api/v1/bridge/apps/', { name: 'Batch Scheduler' })).id;
  const bridge = `/api/v1/bridge/apps/${app}`;
  await api.post(`${bridge}/resource-types/`, { slug: 'account', name: 'Accounts', type: 'account' });
  const { sync_id } = await api.post(`${bridge}/sync/`);
  await api.put(`${bridge}/sync/${sync_id}/account/`, { records: RECORDS });
  await api.post(`${bridge}/sync/${sync_id}/complete/`);
  await until(
    () => api.get(`${bridge}/sync/${sync_id}/`),
    ({ status }) => status === 'completed',
  );
  const { results } = await api.get(`/api/accounts/?app=${app}`);
  accounts = Object.fromEntries(
    results.map((one: { username: string; external_uuid: string }) => [one.username, one.external_uuid]),
  );
  return gatehouse.close;
});

/** The first cell of each row in the table of accounts. */
const names = (page: Page) =>
  page
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => /[a-z]+-[a-z0-9]+/.exec((row as HTMLElement).innerText)?.[0] ?? ''),
    );

const property = (page: Page, name: string) =>
  page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]');

test('finds accounts that were not used, and sorts them by their last use', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts?app=${app}`);
  await expectRows(page, 4);
  await pickFrom(page, 'Use', 'Not used for 90 days');
  await page.waitForURL(/not_used_for_days=90/);
  await expectRows(page, 2);
  expect((await names(page)).toSorted()).toEqual(['invoice-import', 'nightly-export']);
  await pickFrom(page, 'Use', 'Never used');
  await expectRows(page, 1);
  expect(await names(page)).toEqual(['migration-2019']);

  await goto(`/accounts?app=${app}`);
  const sort = page.getByRole('columnheader', { name: 'Last used' }).getByRole('button');
  await sort.click();
  await page.waitForURL(/sort=last_sign_in/);
  const earliest = ['nightly-export', 'invoice-import', 'health-check', 'migration-2019'];
  await expect.poll(() => names(page)).toEqual(earliest);
  await sort.click();
  await page.waitForURL(/sort=-last_sign_in/);
  // Accounts that were never used come last in both orders.
  await expect
    .poll(() => names(page))
    .toEqual(['health-check', 'invoice-import', 'nightly-export', 'migration-2019']);
});

test('finds accounts by their second factor', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/accounts');
  const table = page.getByRole('table', { name: 'Accounts' });
  // No column is cut off.
  const cut = () =>
    table.evaluate((element) => element.clientWidth - (element.parentElement?.clientWidth ?? 0));
  await expect.poll(cut).toBeLessThanOrEqual(0);

  await goto(`/accounts?app=${app}`);
  await pickFrom(page, 'Second factor', 'Without a second factor');
  await page.waitForURL(/mfa=false/);
  await expectRows(page, 1);
  expect(await names(page)).toEqual(['nightly-export']);
  const filter = page.getByRole('combobox', { name: 'Second factor' });
  expect(await filter.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL(({ search }) => search === '');

  await goto(`/accounts?app=${app}&mfa=unknown`);
  await expectRows(page, 2);
  await expect.poll(() => filter.inputValue()).toBe('Second factor not known');

  // Details have no history.
  await goto(`/accounts?app=${app}&as_of=${new Date().toISOString()}`);
  await page.getByRole('columnheader', { name: 'Seen' }).waitFor();
  for (const name of ['Last used', 'Second factor'])
    await expect.poll(() => page.getByRole('columnheader', { name }).count()).toBe(0);
});

test('at an earlier time, clears the filters of the present list, too', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts?app=${app}&mfa=false&as_of=${new Date().toISOString()}`);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL(({ searchParams }) => [...searchParams.keys()].join() === 'as_of');
});

test('shows the details of accounts on a phone without scrolling sideways', async () => {
  const { page, goto } = await gatehouse.visit('owner', { width: 390 });
  for (const name of ['nightly-export', 'invoice-import']) {
    await goto(`/accounts/${accounts[name]}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  }
  await goto(`/accounts?app=${app}&not_used_for_days=90`);
  const search = await page.getByRole('searchbox').boundingBox();
  expect(search?.width).toBeGreaterThanOrEqual(100);
  await page.getByRole('button', { name: 'Filters, some set' }).click();
  const filter = page.getByRole('combobox', { name: 'Use' });
  await expect.poll(() => filter.inputValue()).toBe('Not used for 90 days');
  expect(await filter.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
});

test('shows the owner that the app names, the attributes and the last use of an account', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto(`/accounts/${accounts['nightly-export']}`);
  const kind = property(page, 'Kind');
  await kind.getByText('Not confirmed').waitFor();
  await expect.poll(() => kind.innerText()).toMatch(/^Service account\s+owned by .+, named by the app/);
  await expect.poll(() => property(page, 'Last used').innerText()).toBe('13 months ago');
  await expect.poll(() => property(page, 'environment').innerText()).toBe('Production');
  await expect.poll(() => property(page, 'cost center').innerText()).toBe('4711');
  await expect.poll(() => property(page, 'privileged').innerText()).toBe('Yes');

  await kind.getByRole('button', { name: 'Confirm or change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await told(page, 'Account saved');
  await kind.getByRole('button', { name: 'Change', exact: true }).waitFor();
  await expect.poll(() => kind.getByText('Not confirmed').count()).toBe(0);

  await goto(`/accounts/${accounts['invoice-import']}`);
  await kind.getByText('The app names left.long.ago@acme.example as the owner.').waitFor();
  await kind.getByText('No owner').waitFor();

  await goto(`/accounts/${accounts['migration-2019']}`);
  await settled();
  await expect.poll(() => property(page, 'Last used').innerText()).toBe('Not known');
  await expect.poll(() => page.getByRole('heading', { name: 'Attributes' }).count()).toBe(0);
});

test('a reviewer sees when an account was last used', async () => {
  const { api } = gatehouse;
  const admin = (await api.get(`/api/users/?email=${STAFF.admin}`)).results[0].external_uuid;
  const { external_uuid: review } = await api.post('/api/reviews/', {
    name: 'Service accounts',
    scope: { apps: [app], include: ['accounts'] },
    reviewer: [admin],
  });
  const { external_uuid: cycle } = await api.post(`/api/reviews/${review}/start/`);
  await until(
    () => api.get(`/api/reviews/cycles/${cycle}/`),
    ({ status }) => status === 'in_progress',
  );
  const { page, goto } = await gatehouse.visit('admin');
  await goto(`/reviews/cycles/${cycle}`);
  await heading(page, 'Service accounts').waitFor();
  const context = (name: string) =>
    page
      .locator('tbody tr')
      .filter({ hasText: name })
      .filter({ has: page.getByRole('checkbox') });
  const dormant = context('nightly-export');
  // Only an account that was not used for 90 days stands out.
  await dormant.getByText(/^Not used for \d+ days$/).waitFor();
  await context('invoice-import')
    .getByText(/^Not used for \d+ days$/)
    .waitFor();
  await expect.poll(() => context('health-check').innerText()).not.toContain('Not used');
  const details = async (name: string) => {
    await context(name)
      .getByRole('button', { name: /^Details of/ })
      .click();
    return page.getByRole('dialog');
  };
  const ofDormant = await details('nightly-export');
  await ofDormant.getByText('Last used 13 months ago').waitFor();
  await ofDormant.getByText(/Account owned by /).waitFor();
  await page.keyboard.press('Escape');
  await ofDormant.waitFor({ state: 'detached' });
  const ofImport = await details('invoice-import');
  await ofImport.getByText('Owner named by the app: left.long.ago@acme.example').waitFor();
});
