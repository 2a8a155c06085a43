// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { faultsOf } from './axe.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { STAFF } from './seed-company.ts';
import { field, heading, told } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  await until(
    () => gatehouse.api.get('/api/findings/?kind=leaver_with_access'),
    ({ count }) => count > 0,
  );
  return gatehouse.close;
});

const firstOf = async (query: string) => (await gatehouse.api.get(`/api/findings/?${query}`)).results[0];

test('accepts a finding until a time, and reopens it', async () => {
  const { external_uuid: id, subject } = await firstOf('kind=leaver_with_access');
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/findings?kind=leaver_with_access');
  const name = `Leaver with access: ${subject.label}`;
  await page.getByRole('button', { name: `Accept: ${name}` }).click();
  const dialog = page.getByRole('dialog');
  const accept = dialog.getByRole('button', { name: 'Accept finding' });
  await expect.poll(() => accept.isDisabled()).toBe(true);
  await field(dialog, 'Reason').fill('Payroll needs them until the end of the month.');
  await accept.click();
  await told(page, 'Finding accepted');
  const accepted = await gatehouse.api.get(`/api/findings/${id}/`);
  expect(accepted).toMatchObject({
    status: 'accepted',
    reason: 'Payroll needs them until the end of the month.',
  });
  const days = (Date.parse(accepted.accepted_until) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);

  await goto('/findings?status=accepted');
  await page.getByText(/Accepted until/).waitFor();
  await page.getByRole('button', { name: `Reopen: ${name}` }).click();
  await told(page, 'Finding reopened');
  await page.getByText('No findings match these filters').waitFor();
  expect((await gatehouse.api.get(`/api/findings/${id}/`)).status).toBe('open');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await gatehouse.api.get(`/api/findings/${id}/`)).status).toBe('accepted');
  await page.getByRole('button', { name: `Reopen: ${name}` }).click();
  await expect.poll(async () => (await gatehouse.api.get(`/api/findings/${id}/`)).status).toBe('open');
});

test('links an orphaned account in its row, and the finding is over', async () => {
  const { external_uuid: id, subject } = await firstOf('kind=orphaned_account');
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/findings?subject=${subject.external_uuid}`);
  await page.getByRole('button', { name: `Link person: Orphaned account: ${subject.label}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('belongs to nobody').waitFor();
  await dialog.getByRole('combobox', { name: 'Person' }).fill(STAFF.admin);
  await page.getByRole('option', { name: STAFF.admin }).click();
  await dialog.getByRole('button', { name: 'Link person' }).click();
  await told(page, 'Account linked');
  await expect.poll(async () => (await gatehouse.api.get(`/api/findings/${id}/`)).status).toBe('resolved');
});

test('offboards a leaver in their row', async () => {
  const { external_uuid: id, subject } = await firstOf('kind=leaver_with_access');
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/findings?subject=${subject.external_uuid}`);
  await page.getByRole('button', { name: `Offboard: Leaver with access: ${subject.label}` }).click();
  const dialog = page.getByRole('dialog', { name: /^Offboard / });
  await dialog.getByRole('list', { name: 'Accounts' }).getByRole('listitem').first().waitFor();
  await dialog.getByRole('button', { name: 'Offboard' }).click();
  await told(page, /offboarded$/);
  const ordered = await gatehouse.api.get(`/api/tasks/?user=${subject.external_uuid}&status=scheduled`);
  expect(ordered.results).toContainEqual(expect.objectContaining({ action: 'delete_account' }));
  // The finding is over when the accounts are.
  expect((await gatehouse.api.get(`/api/findings/${id}/`)).status).toBe('open');
});

test('works by keyboard: filter by kind, accept several, take one', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/findings');
  await page.getByRole('group', { name: 'Kind' }).getByRole('button', { name: 'Orphaned account' }).click();
  const rows = page.locator('tbody[data-rows] tr');
  // The rows before are replaced, and with them the focus.
  const others = rows.filter({ hasNotText: 'Orphaned account' });
  await expect.poll(() => others.count()).toBe(0);
  await expect.poll(() => rows.count()).toBeGreaterThan(2);
  const before = (await gatehouse.api.get('/api/findings/?kind=orphaned_account')).count;
  for (const key of ['j', 'm']) await page.keyboard.press(key);
  await told(page, 'Assigned to you');
  for (const key of ['k', 'k', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Accept 2' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Reason').fill('They are tests.');
  await dialog.getByRole('button', { name: 'Accept findings' }).click();
  await page.getByText('2 of 2 done').waitFor();
  const after = await gatehouse.api.get('/api/findings/?kind=orphaned_account');
  expect(after.count).toBe(before - 2);
});

test('a key concerns the selected findings, and its dialog begins at the field to fill in', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/findings?kind=leaver_with_access');
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
  await page.getByRole('button', { name: /^Accept \d+$/ }).waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: /^Accept \d+ findings?\?$/ });
  const focused = dialog.locator(':focus');
  const label = () => focused.evaluate((one) => (one as HTMLInputElement).labels?.[0]?.textContent ?? '');
  await expect.poll(label).toMatch(/^Reason/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test.each(['en', 'de'])(
  'shows each sentence and each button in full on a wide screen, in %s',
  async (lang) => {
    const { page, goto, context } = await gatehouse.visit('owner', { width: 1440, own: true });
    await context.addInitScript((one) => localStorage.setItem('gatehouse-language', one), lang);
    await goto('/findings');
    const rows = page.locator('tbody[data-rows] tr[data-at]');
    await rows.first().waitFor();
    const cut = () =>
      rows
        .locator('td[data-whole], td[data-whole] *')
        .evaluateAll((all) =>
          all
            .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
            .map(({ textContent }) => textContent),
        );
    await expect.poll(cut).toEqual([]);
    const wide = await page
      .locator('table')
      .evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0));
    expect(wide).toBeLessThanOrEqual(0);
  },
);

test('assigns a finding to a member, who then has the page', async () => {
  const { member } = STAFF;
  const { subject } = await firstOf('kind=orphaned_account');
  const others = await gatehouse.visit('member');
  await others.goto('/');
  const entry = others.page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Findings' });
  await expect.poll(() => entry.count()).toBe(0);

  const { page, goto } = await gatehouse.visit('admin');
  await goto(`/findings?kind=orphaned_account&subject=${subject.external_uuid}`);
  await page.getByRole('button', { name: `Assign: Orphaned account: ${subject.label}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Assignee' }).fill(member);
  await page.getByRole('option', { name: member }).click();
  await dialog.getByRole('button', { name: 'Assign finding' }).click();
  await told(page, 'Finding assigned');

  await others.goto('/');
  await entry.click();
  await heading(others.page, 'Findings').waitFor();
  const row = others.page.getByRole('row').filter({ hasText: 'belongs to nobody' });
  await row.waitFor();
  await expect.poll(() => row.getByRole('button').count()).toBe(0);
  await expect.poll(() => row.getByRole('link').count()).toBe(0);
});

test('opens the subject by keyboard', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto('/findings?kind=leaver_with_access');
  await expect.poll(() => page.getByRole('button', { name: /^(Accept|Assign)/ }).count()).toBe(0);
  const link = page.locator('tbody tr a').first();
  const name = (await link.textContent()) ?? '';
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await heading(page, name).waitFor();
});

test('shows a curve of 90 days as soon as there were findings before today', async () => {
  const visit = await gatehouse.visit('owner');
  const { page, goto } = visit;
  await goto('/findings');
  await page.getByRole('group', { name: 'Kind' }).waitFor();
  const curve = page.getByRole('figure', { name: 'Findings in the last 90 days' });
  await expect.poll(() => curve.count()).toBe(0);
  await page.route(/findings\/summary/, async (route) => {
    const response = await route.fetch();
    const { days, open } = await response.json();
    const counts = (n: number) => ({ orphaned_account: 90 - n, held_sync: 2 });
    await route.fulfill({
      response,
      json: { open, days: days.map(({ day }: { day: string }, n: number) => ({ day, counts: counts(n) })) },
    });
  });
  await goto('/findings?kind=orphaned_account');
  await curve.getByText('1 finding is not resolved today').waitFor();
  await curve.getByRole('button', { name: 'Show table' }).click();
  await curve.getByRole('cell', { name: '90', exact: true }).waitFor();
  await goto('/findings');
  await curve.getByText('3 findings are not resolved today').waitFor();
  expect(await faultsOf(visit)).toEqual([]);
});

test('the page and its dialogs are usable wide and narrow, in light and dark', async () => {
  const visit = await gatehouse.visit('owner');
  for (const button of [undefined, /^Accept:/, /^Assign:/, /^Link person:/]) {
    await visit.page.setViewportSize({ width: 1440, height: 900 });
    await visit.page.emulateMedia({ colorScheme: 'light' });
    await visit.goto('/findings');
    if (button !== undefined) {
      await visit.page.getByRole('button', { name: button }).first().click();
      await visit.page.getByRole('dialog').waitFor();
    }
    expect(await faultsOf(visit)).toEqual([]);
  }
});
