// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type OwnServerTest, openServer } from './harness.ts';
import { MARKUP } from './seed-company.ts';
import { expectRows, typeInto } from './story.ts';

let gatehouse: OwnServerTest;
beforeAll(async () => {
  gatehouse = await openServer();
  return gatehouse.close;
});

test('finds and opens pages and people with Cmd-K', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/');

  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByLabel('Search');
  await field.waitFor();
  const found = page.waitForResponse(/\/api\/find\/\?q=Marta(&|$)/);
  await page.keyboard.type('Marta');
  await found;
  await page.getByRole('dialog').getByText('Marta Silva').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Marta Silva' }).waitFor();

  await page.keyboard.press('Control+k');
  await typeInto(field, 'polic');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
});

test('supports the shortcuts /, j, Enter, ? and Escape', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto('/people');

  await page.keyboard.press('/');
  await page.keyboard.type('okafor');
  await page.waitForURL(/q=okafor/);
  await settled();
  await expectRows(page, 1);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Aisha Okafor' }).waitFor();

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('moves through a table with j and k, and stops at its ends', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people');
  const row = () => page.evaluate(() => document.activeElement?.closest('tr')?.rowIndex);

  await page.keyboard.press('k');
  await expect.poll(row).toBe(1);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(row).toBe(3);
  await page.keyboard.press('k');
  await expect.poll(row).toBe(2);
});

test('keeps the dark theme after a reload, from the first paint', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
  await goto('/');
  expect(await scheme()).toBe('light');

  await page.getByRole('button', { name: 'Use dark theme' }).click();
  await expect.poll(scheme).toBe('dark');
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark');
  await page.getByRole('button', { name: 'Use light theme' }).click();
  await expect.poll(scheme).toBe('light');
});

test('keeps filters in the address', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto('/people');
  await page.getByRole('searchbox').fill('fuentes');
  await page.waitForURL(/q=fuentes/);
  await settled();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);

  await page.reload();
  await settled();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('fuentes');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(10);
});

test('shows markup in names as text, everywhere', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { apps, accounts, people, tickets, tasks } = gatehouse.seeded;
  const addresses = [
    '/apps',
    `/apps/${apps.wiki}`,
    `/apps/${apps.crm}?tab=groups`,
    `/accounts/${accounts.markup}`,
    '/people?q=mallory',
    `/people/${people['mallory@acme.example']}`,
    `/requests/${tickets.pending}`,
    '/events',
  ];
  for (const address of addresses) {
    await goto(address);
    if (address !== '/events') await page.getByText(MARKUP, { exact: false }).first().waitFor();
    await expect.poll(() => page.locator('img[src="x"]').count(), { message: address }).toBe(0);
  }
  expect(tasks.pending).not.toBe('');
});

test('shows that the server is restarting, and continues afterwards', async () => {
  const visit = await gatehouse.visit('owner');
  const { page } = visit;
  await visit.goto('/people');
  const apps = page.getByRole('link', { name: 'Apps', exact: true });
  // A page is loaded when the pointer enters a link to it.
  await apps.hover();
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/apps-page')),
  );
  await visit.settled();
  visit.expectRefusals([0]);

  await gatehouse.stopServer();
  await apps.click();
  await page.getByText('The server is not responding').first().waitFor();
  await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(true);

  await gatehouse.startServer();
  await page.getByRole('link', { name: 'Customer CRM' }).waitFor();
  await page.getByText('The server is not responding').waitFor({ state: 'detached' });
});

test('notices that the server is back although the page has nothing to read', async () => {
  const visit = await gatehouse.visit('owner');
  const { page, context } = visit;
  visit.expectRefusals([0]);
  await visit.goto('/accounts');
  const all = /\/(api\/|healthz)/;
  await context.route(all, (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const notice = page.getByText('The server is not responding. Trying again.');
  await notice.waitFor();
  // Only the check whether it is alive.
  await context.unroute(all);
  await context.route(/\/api\//, (route) => route.abort('connectionrefused'));
  await notice.waitFor({ state: 'detached' });
});

test('loads a page whose file was missing as soon as the server responds', async () => {
  const visit = await gatehouse.visit('owner', { own: true });
  const { page, context } = visit;
  visit.expectRefusals([0]);
  const blocked = /\/(assets\/policies-page.*|healthz)$/;
  await context.route(blocked, (route) => route.abort('connectionrefused'));
  await visit.goto('/people');

  await page.getByRole('link', { name: 'Policies' }).click();
  await page.getByText('The server is not responding').first().waitFor();
  await context.unroute(blocked);

  await page.getByRole('link', { name: 'Leavers lose every account' }).waitFor();
});

test('the API reference works under its content security policy', async () => {
  const { page } = await gatehouse.visit(null);
  await page.goto(`${gatehouse.url}/docs/`);
  // It draws some 300 operations.
  await page.getByText('Check that the process is alive').click();
  await page.getByRole('heading', { name: 'Responses' }).waitFor();
});
