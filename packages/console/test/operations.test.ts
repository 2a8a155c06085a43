import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { apiWithKey } from './api.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { setPassword } from './seed.ts';
import { expectRows, field, heading, pick, pickFrom, tabTo, told } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test.each([
  ['accounts', 'name,email,app'],
  ['people', 'email,username,first_name'],
])('%s are exported whole, whatever page is shown', async (what, header) => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/${what}`);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\r\n');

  expect(lines[0]).toContain(header);
  const path = what === 'people' ? '/api/users/?limit=1' : '/api/accounts/?limit=1';
  expect(lines.length - 1).toBe((await gatehouse.api.get(path)).count);
});

test('an API key is made, copied once, used, and revoked', async () => {
  const visit = await gatehouse.visit('owner');
  const { page, context, goto } = visit;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gatehouse.url });
  await goto('/settings/api-keys');
  expect(await page.getByRole('main').textContent()).toContain(gatehouse.base);

  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Name').fill('Nightly report');
  await dialog.getByLabel('events').uncheck();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'Copy API key' }).click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^gh_/);
  const api = apiWithKey(gatehouse.base, key);
  expect((await api.get('/api/accounts/?limit=1')).count).toBeGreaterThan(100);
  await expect(api.get('/api/events/')).rejects.toThrow(/: 403 /);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);

  await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
  const revoke = dialog.getByRole('button', { name: 'Revoke' });
  expect(await revoke.isDisabled()).toBe(true);
  await dialog.getByLabel('Type Nightly report to confirm').fill('Nightly report');
  await revoke.click();
  await told(page, 'Nightly report is revoked');
  await expect(api.get('/api/accounts/?limit=1')).rejects.toThrow(/: 401 /);

  await goto('/events?type=api_key.revoked');
  await page
    .getByText(/Nightly report/)
    .first()
    .waitFor();
});

test('open tasks are cancelled in bulk, all that match, with progress', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  const { crm } = gatehouse.seeded.apps;
  const open = async () => (await gatehouse.api.get(`/api/tasks/?app=${crm}&status=pending`)).count;
  const before = await open();
  expect(before).toBeGreaterThan(10);
  await goto(`/tasks?app=${crm}&status=pending`);

  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByText(`${before} chosen`).waitFor();
  await page.getByRole('button', { name: 'Cancel open ones' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type cancel to confirm').fill('cancel');
  await dialog.getByRole('button', { name: 'Cancel tasks' }).click();
  await page.getByText(`${before} of ${before} done`).waitFor();
  await page.getByRole('dialog').getByText('Close').click();

  expect(await open()).toBe(0);
});

test('a bulk job tells each failure, and goes on', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('admin');
  expectRefusals([409]);
  const { directory } = gatehouse.seeded.apps;
  await goto(`/tasks?app=${directory}&status=pending`);
  const { results } = await gatehouse.api.get(`/api/tasks/?app=${directory}&status=pending`);
  expect(results.length).toBeGreaterThan(1);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();

  // Somebody else is quicker with one of them.
  await gatehouse.api.post(`/api/tasks/${results[0].external_uuid}/cancel/`, {});
  await page.getByRole('button', { name: 'Cancel open ones' }).click();
  await page.getByRole('dialog').getByLabel('Type cancel to confirm').fill('cancel');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel tasks' }).click();

  await page.getByText(`${results.length} of ${results.length} done, 1 failure`).waitFor();
  await page
    .getByRole('list', { name: 'Failures' })
    .getByText(/cancelled/)
    .waitFor();
});

test('all that match, beyond the page, are changed by a job that can be stopped', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  const { crm } = gatehouse.seeded.apps;
  const suspensions = async (): Promise<number> =>
    (await gatehouse.api.get(`/api/tasks/?app=${crm}&action=suspend_account`)).count;
  const before = await suspensions();
  await goto(`/accounts?app=${crm}&status=ACTIVE`);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByRole('button', { name: /^Choose all \d+ that match$/ }).click();
  const chosen = Number(/\d+/.exec((await page.getByText(/\d+ chosen/).textContent()) ?? ''));
  expect(chosen).toBeGreaterThan(50);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Suspend ${chosen} accounts` })
    .click();

  const job = page.getByRole('dialog', { name: `Suspend ${chosen} accounts`, exact: true });
  await job.getByText(new RegExp(`^[1-9]\\d* of ${chosen} done`)).waitFor();
  await job.getByRole('button', { name: 'Stop' }).click();
  const over = job.getByText(/Stopped; what is done stays done/);
  await over.waitFor();
  const done = Number(/^\d+/.exec((await over.textContent()) ?? ''));
  expect(done).toBeLessThan(chosen);
  expect(await suspensions()).toBe(before + done);
});

test('a condition is told where it is wrong, and a policy shows what it would do before it does', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('admin');
  expectRefusals([400], /policies\/check/);
  await goto('/policies/new');
  await field(page, 'Name').fill('Contractors lose the CRM');
  await pickFrom(page, 'Trigger', 'Every day');
  await field(page, 'Condition').fill("user.domain_type = 'external'");
  await page.getByText(/^Line 1, column \d+/).waitFor();
  await field(page, 'Condition').fill("user.attributes.department == 'Sales'");
  await page.getByText('The server understands it').waitFor();
  await pickFrom(page, 'Action', 'Suspend');
  await pick(page, 'App', 'Customer CRM');
  await page
    .getByRole('main')
    .getByRole('button', { name: /^(Create|Save)/ })
    .click();
  await heading(page, 'Contractors lose the CRM').waitFor();
  await page.getByText(/This policy would create [\d,]+ tasks? now/).waitFor();
});

test('what destroys asks for its name to be typed', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${gatehouse.seeded.apps.payroll}?tab=settings`);
  await page.getByRole('button', { name: 'Archive' }).click();
  const dialog = page.getByRole('dialog', { name: 'Archive Payroll?' });
  const archive = dialog.getByRole('button', { name: 'Archive' });
  const field = dialog.getByLabel('Type Payroll to confirm');
  await field.fill('payroll');
  expect(await archive.isDisabled()).toBe(true);
  await field.fill('Payroll');
  await archive.click();

  await heading(page, 'Apps').waitFor();
  await page.getByRole('link', { name: 'Customer CRM' }).waitFor();
  expect(await page.getByRole('link', { name: 'Payroll' }).count()).toBe(0);
});

test('events are filtered in the address, opened, and followed as they happen', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto('/events?category=task&severity=high');
  const table = page.getByRole('table', { name: 'Events' });
  await expectRows(page, 6);
  await table.getByRole('link').first().click();
  await page.getByRole('dialog').getByText('task.failed').first().waitFor();
  expect(page.url()).toMatch(/event=/);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await goto('/events?follow=true');
  await page.getByText('Following; 0 new events so far.').waitFor();
  await setPassword(gatehouse.base, gatehouse.api, gatehouse.seeded.people['mei.chen@acme.example'] ?? '');
  await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Freshly connected' });
  await table.getByText('Freshly connected').waitFor({ timeout: 30_000 });
});

test('a failed task is told in words and tried again', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  const { tasks } = gatehouse.seeded;
  await goto(`/tasks/${tasks.failed}`);
  await page.getByText('The integration user may not change profiles').first().waitFor();
  await page.getByRole('button', { name: /again/i }).click();
  const dialog = page.getByRole('dialog');
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: /again/i }).click();
  await expect
    .poll(async () => {
      const { results } = await gatehouse.api.get('/api/tasks/?limit=200');
      return results.some((task: { retry_of: string | null }) => task.retry_of === tasks.failed);
    })
    .toBe(true);
});

test('a held removal is let through only after its number was typed', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { code } = gatehouse.seeded.apps;
  await goto(`/apps/${code}`);
  await page.getByText(/This sync would remove/).waitFor();
  await page.getByRole('button', { name: 'Approve removal' }).click();
  const dialog = page.getByRole('dialog');
  const number = /Type ([\d,]+) to confirm/.exec((await dialog.textContent()) ?? '')?.[1] ?? '';
  await dialog.getByLabel(/^Type/).fill(number);
  await dialog.getByRole('button', { name: 'Approve removal' }).click();
  await expect
    .poll(async () => (await gatehouse.api.get(`/api/apps/${code}/syncs/?limit=1`)).results[0].status)
    .toBe('completed');
});

test('making a key, and finding an event, by keyboard alone', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/settings/api-keys');
  await tabTo(page, page.getByRole('button', { name: 'New key' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, field(dialog, 'Name'));
  await page.keyboard.type('Without a mouse');
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'I have kept it' }));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Revoke Without a mouse' }).waitFor();

  await page.keyboard.press('Control+k');
  await dialog.getByLabel('Find').waitFor();
  await page.keyboard.type('Events');
  await page.keyboard.press('Enter');
  await heading(page, 'Events').waitFor();
  const link = page.getByRole('link', { name: /Without a mouse/ });
  await tabTo(page, link);
  await page.keyboard.press('Enter');
  await dialog.getByText('api_key.created').first().waitFor();
});
