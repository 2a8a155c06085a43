// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openSharedConsole } from './harness.ts';
import { PASSWORD } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { field } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  return gatehouse.close;
});

/** Opens a browser in which German was chosen before. */
async function inGerman(...[as, options]: Parameters<ConsoleTest['visit']>) {
  const visit = await gatehouse.visit(as, { ...options, own: true });
  await visit.context.addInitScript(() => localStorage.setItem('gatehouse-language', 'de'));
  return visit;
}

test('signs in and shows the overview in German', async () => {
  const { page, goto, settled, expectRefusals } = await inGerman(null);
  expectRefusals([401]);
  await goto('/sign-in');
  await field(page, 'E-Mail').fill(STAFF.owner);
  await field(page, 'Passwort').fill(PASSWORD);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();

  await page.getByRole('heading', { level: 1, name: 'Arbeit' }).waitFor();
  await settled();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  expect(await page.title()).toBe('Arbeit · Gatehouse');
  const links = page.getByRole('navigation').getByRole('link');
  await page.getByText('Konto nicht gefunden').waitFor();
  await expect
    .poll(() => links.allInnerTexts())
    .toEqual(expect.arrayContaining(['Zugriff', 'Anträge', 'Richtlinien']));
});

test('loads no texts of other pages with the first page, with the texts of a page when it opens', async () => {
  const { page, goto } = await inGerman('owner');
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (/\/assets\/de-[^/]+\.js$/.test(request.url())) loaded.push(request.url());
  });
  await goto('/');
  await page.getByText('Wartet auf Sie').waitFor();
  await expect.poll(() => page.getByRole('main').locator('section section').count()).toBeGreaterThan(0);
  expect(loaded).toHaveLength(1);

  await page.getByRole('navigation').getByRole('link', { name: 'Richtlinien' }).click();
  await page.getByRole('heading', { level: 1, name: 'Richtlinien' }).waitFor();
  expect(loaded).toHaveLength(2);
});

test('shows a list with German words, numbers and dates', async () => {
  const { page, goto } = await inGerman('owner');
  await goto('/accounts');
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Konten');
  const headers = await page.getByRole('columnheader').allInnerTexts();
  expect(headers.map((header) => header.trim())).toEqual(expect.arrayContaining(['E-Mail', 'Status']));
  await page
    .getByText(/^\d+ Konten/)
    .first()
    .waitFor();

  await goto('/tasks');
  const times = await page.getByRole('main').locator('time').allInnerTexts();
  expect(times.length).toBeGreaterThan(0);
  for (const time of times) expect(time).toMatch(/^(?:vor|in) |^gerade|^gestern|^heute|^morgen|^vorgestern/);
});

test('shows a form and its checks in German', async () => {
  const { page, goto } = await inGerman('owner');
  await goto('/settings/api-keys?new=true');
  const dialog = page.getByRole('dialog', { name: 'API-Schlüssel erstellen' });
  await field(page, 'Name').fill('Lohnbuchhaltung');
  await dialog.getByRole('button', { name: 'Schlüssel erstellen' }).click();
  await dialog.getByText('Wählen Sie mindestens einen Berechtigungsbereich.').waitFor();
});

test('says in German what the server refuses, and of what it notifies', async () => {
  const visitor = await inGerman(null);
  visitor.expectRefusals([401]);
  await visitor.goto('/sign-in');
  await field(visitor.page, 'E-Mail').fill(STAFF.owner);
  await field(visitor.page, 'Passwort').fill('not the password');
  await visitor.page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await visitor.page.getByRole('alert').getByText('E-Mail-Adresse oder Passwort ist falsch.').waitFor();

  const { page, goto } = await inGerman('owner');
  await goto('/settings/notifications');
  await page.getByText('Eine Synchronisierung ist überfällig').waitFor();
});

test('explains in German why a task failed', async () => {
  const { page, goto } = await inGerman('owner');
  await goto(`/tasks/${gatehouse.seeded.tasks.failed}`);
  await page.getByText(/ ist fehlgeschlagen: Das ist in .* nicht erlaubt\./).waitFor();
  await page.getByText(/Die Meldung lautet: The integration user may not change profiles/).waitFor();
});

test('keeps the language that was chosen in the account menu', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people');
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect
    .poll(() => page.getByRole('menuitemradio', { name: 'English' }).getAttribute('aria-checked'))
    .toBe('true');
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { level: 1, name: 'Personen' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/people$/);

  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Personen' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByRole('button', { name: 'Ihr Konto' }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
});
