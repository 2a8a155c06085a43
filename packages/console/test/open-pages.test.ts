// @module-tag long
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import { openBalancer } from './releases.ts';
import { type Company, PASSWORD } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { field, heading, told } from './story.ts';
import { openVisit, type Visit, type VisitOptions } from './visit.ts';
import { sharedBrowser } from './worker.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

/** Opens a browser window behind a load balancer. */
async function visitThrough(options: Partial<VisitOptions> = {}) {
  const balancer = await openBalancer(gatehouse.url);
  const place = {
    url: balancer.url,
    base: gatehouse.base.replace(gatehouse.url, balancer.url),
    home: gatehouse.home.replace(gatehouse.url, balancer.url),
  };
  const visit = await openVisit(await sharedBrowser(), place, { as: STAFF.owner, ...options });
  visit.expectRefusals([404], /\/assets\//);
  onTestFinished(async () => {
    await visit.close();
    await balancer.close();
    expect(visit.problems.join('\n')).toBe('');
  });
  return { ...visit, balancer };
}

const notice = (page: Visit['page']) => page.getByText('A new version of Gatehouse is available.');

test('keeps what was typed when a release has replaced the files of an open page', async () => {
  const { page, context, goto, settled, balancer, expectRefusals } = await visitThrough();
  expectRefusals([401]);
  await goto('/people?new=person');
  const form = page.getByRole('dialog', { name: 'Add person' });
  await field(form, 'Email').fill('release@acme.example');
  await field(form, 'First name').fill('Release');
  await settled();
  balancer.lacks = () => true;

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByLabel('Search').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).dispatchEvent('click');
  await notice(page).waitFor();
  await page.getByText('Reloading discards your unsaved input').waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await notice(page).waitFor({ state: 'detached' });

  await context.clearCookies();
  await form.getByRole('button', { name: 'Add person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await told(page, 'Release added');
});

test('sends what was typed after a sign-in in another tab, also if the file of the dialog is missing', async () => {
  const { page, context, balancer, expectRefusals } = await visitThrough();
  expectRefusals([401]);
  balancer.lacks = (file) => file.includes('session-dialog');
  await page.goto(`${gatehouse.home.replace(gatehouse.url, balancer.url)}/people?new=person`);
  const form = page.getByRole('dialog', { name: 'Add person' });
  await field(form, 'Email').fill('another-tab@acme.example');
  await field(form, 'First name').fill('Tabitha');
  const cookies = await context.cookies();
  await context.clearCookies();
  await form.getByRole('button', { name: 'Add person' }).click();
  await notice(page).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();

  await context.addCookies(cookies);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await told(page, 'Tabitha added');
});

test('keeps the frame when the file of the next page is missing, and opens the page once it is there', async () => {
  const { page, goto, balancer } = await visitThrough();
  await goto('/people');
  balancer.lacks = (file) => file.includes('policies-page');
  await page.getByRole('link', { name: 'Policies' }).click();
  await page.getByText('This page needs the new version.').waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();

  balancer.lacks = () => false;
  await page.getByRole('button', { name: 'Reload page' }).click();
  await heading(page, 'Policies').waitFor();
});

test('opens while two releases answer in turn', async () => {
  const { page, goto, balancer } = await visitThrough();
  const asked = new Map<string, number>();
  balancer.lacks = (file) => {
    const times = asked.get(file) ?? 0;
    asked.set(file, times + 1);
    return times % 2 === 0;
  };
  await goto('/people');
  await heading(page, 'People').waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.body).margin)).toBe('0px');
  await page.getByRole('link', { name: 'Policies' }).click();
  await heading(page, 'Policies').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
});

test('says that it cannot start instead of a blank window', async () => {
  const missing = await visitThrough({ as: null });
  missing.expectRefusals([401]);
  missing.balancer.lacks = (file) => file.endsWith('.js');
  await missing.page.goto(gatehouse.home.replace(gatehouse.url, missing.balancer.url));
  await missing.page.getByText('Gatehouse is being upgraded').waitFor();
  missing.balancer.lacks = () => false;
  await heading(missing.page, /Sign in/).waitFor();
});

test('says why it failed if the browser lacks what it needs', async () => {
  const visit = await gatehouse.visit(null);
  await visit.page.addInitScript(() => Object.assign(Intl, { RelativeTimeFormat: undefined }));
  await visit.page.goto(`${gatehouse.home}/people`);
  await visit.page.getByText('The console could not start.').waitFor();
  expect(visit.problems.splice(0).join('\n')).toContain('Page error');
});

const LANGUAGES = [
  ['en-US@posix'],
  ['C'],
  ['de_DE.UTF-8', 'C'],
  [],
  undefined,
  ['x-private', '*'],
  Array.from({ length: 300 }, (_, index) => `x-${index}`),
];

test('opens with any languages of the browser', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  for (const languages of LANGUAGES) {
    await page.addInitScript((given) => {
      Object.defineProperty(Navigator.prototype, 'languages', { get: () => given, configurable: true });
    }, languages);
    await goto('/people');
    await settled();
    const isGerman = languages?.[0]?.startsWith('de') === true;
    await heading(page, isGerman ? 'Personen' : 'People').waitFor();
  }
});

test('opens without storage and time zones', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    Object.assign(Intl, { supportedValuesOf: undefined });
  });
  await goto('/people');
  await heading(page, 'People').waitFor();
  await goto('/settings/organization');
  await field(page, 'Time zone of days').waitFor();
});
