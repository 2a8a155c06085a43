import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { MARKUP } from './seed-company.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('Cmd-K finds pages, apps and people, and opens them', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/');

  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByLabel('Find');
  await field.waitFor();
  const found = page.waitForResponse(/\/api\/users\/\?.*q=Marta(&|$)/);
  await page.keyboard.type('Marta');
  await found;
  await page.getByRole('dialog').getByText('Marta Silva').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Marta Silva' }).waitFor();

  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.keyboard.type('polic');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
});

test('/ goes to the search, j and k from row to row, Enter opens, ? tells the keys, Escape closes', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto('/people');

  await page.keyboard.press('/');
  await page.keyboard.type('okafor');
  await page.waitForURL(/q=okafor/);
  await settled();
  await page.keyboard.press('Escape');
  await page.locator('body').press('Tab');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Aisha Okafor' }).waitFor();

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('j and k move through a table and stop at its ends', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people');
  const row = () => page.evaluate(() => document.activeElement?.closest('tr')?.rowIndex);

  await page.keyboard.press('k');
  expect(await row()).toBe(1);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await row()).toBe(3);
  await page.keyboard.press('k');
  expect(await row()).toBe(2);
});

test('dark is kept over a reload, and is there before the first paint', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
  await goto('/');
  expect(await scheme()).toBe('light');

  await page.getByRole('button', { name: 'Dark colours' }).click();
  await expect.poll(scheme).toBe('dark');
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark');
  await page.getByRole('button', { name: 'Light colours' }).click();
  await expect.poll(scheme).toBe('light');
});

test('what a filter says is in the address, and the back button takes it back', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto('/people');
  await page.getByRole('searchbox').fill('fuentes');
  await page.waitForURL(/q=fuentes/);
  await settled();
  expect(await page.locator('tbody tr').count()).toBe(1);

  await page.reload();
  await settled();
  expect(await page.getByRole('searchbox').inputValue()).toBe('fuentes');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(10);
});

test('names that are markup are shown as they are, everywhere', async () => {
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
    expect(await page.locator('img[src="x"]').count(), address).toBe(0);
  }
  expect(tasks.pending).not.toBe('');
});

test('a node that restarts is told of, and the page goes on where it was', async () => {
  const visit = await gatehouse.visit('owner');
  const { page } = visit;
  await visit.goto('/people');
  // The files of the other pages come by themselves.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/profile-page')),
  );
  visit.expectRefusals([0]);

  await gatehouse.stopServer();
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByText('The server does not answer').first().waitFor();
  expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(true);

  await gatehouse.startServer();
  await page.getByRole('link', { name: 'Customer CRM' }).waitFor({ timeout: 30_000 });
  await page.getByText('The server does not answer').waitFor({ state: 'detached' });
});

test('a page whose file does not come is told of, and comes when the server answers', async () => {
  const visit = await gatehouse.visit('owner');
  const { page, context } = visit;
  visit.expectRefusals([0]);
  const silence = /\/(assets\/policies-page.*|healthz)$/;
  await context.route(silence, (route) => route.abort('connectionrefused'));
  await visit.goto('/people');

  await page.getByRole('link', { name: 'Policies' }).click();
  await page.getByText('The server does not answer').first().waitFor();
  await context.unroute(silence);

  await page.getByRole('link', { name: 'Leavers lose every account' }).waitFor();
});
