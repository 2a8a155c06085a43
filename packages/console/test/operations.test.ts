// @module-tag long
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { apiSignedIn, apiWithKey } from './api.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { PASSWORD, setPassword } from './seed.ts';
import { expectRows, field, heading, pick, pickFrom, tabTo, told, typeInto } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test.each([
  ['accounts', 'name,email,app'],
  ['people', 'email,username,first_name'],
])('exports all %s, whatever page is shown', async (what, header) => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/${what}`);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await text(await (await downloading).createReadStream());
  const lines = file.trimEnd().split('\r\n');

  expect(lines[0]).toContain(header);
  const path = what === 'people' ? '/api/users/?limit=1' : '/api/accounts/?limit=1';
  expect(lines.length - 1).toBe((await gatehouse.api.get(path)).count);
});

test('creates, copies, uses and revokes an API key', async () => {
  const visit = await gatehouse.visit('owner');
  const { page, context, goto } = visit;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gatehouse.url });
  await goto('/settings/api-keys');
  await expect.poll(() => page.getByRole('main').textContent()).toContain(gatehouse.base);

  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Name').fill('Nightly report');
  await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(0);
  await expect.poll(() => dialog.getByRole('radio', { checked: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Select at least one scope.').waitFor();
  await dialog.getByText('Select the apps that the key can access.').waitFor();
  await dialog.getByRole('checkbox', { name: 'read' }).check();
  await dialog.getByRole('radio', { name: 'Selected apps' }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Select at least one app.').waitFor();
  await dialog.getByRole('radio', { name: 'All apps, including future ones' }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'Copy API key' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^gh_/);
  const key = await copied();
  const api = apiWithKey(gatehouse.base, key);
  expect((await api.get('/api/accounts/?limit=1')).count).toBeGreaterThan(100);
  await expect(api.get('/api/events/')).rejects.toThrow(/: 403 /);
  await dialog.getByRole('button', { name: 'I saved the key' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);

  await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
  const revoke = dialog.getByRole('button', { name: 'Revoke key' });
  await expect.poll(() => revoke.isDisabled()).toBe(true);
  await dialog.getByLabel('Type Nightly report to confirm').fill('Nightly report');
  await revoke.click();
  await told(page, 'Nightly report was revoked');
  await expect(api.get('/api/accounts/?limit=1')).rejects.toThrow(/: 401 /);

  await goto('/events?type=api_key.revoked');
  await page
    .getByText(/Nightly report/)
    .first()
    .waitFor();
});

test('lets an API key expire at the end of a local day', async () => {
  const { page, goto } = await gatehouse.visit('owner', { own: true, timeZone: 'Asia/Tokyo' });
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  await goto('/settings/api-keys?new=true');
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Name').fill('Until a day');
  await dialog.getByRole('checkbox', { name: 'read' }).check();
  await dialog.getByRole('radio', { name: 'All apps' }).check();
  await field(dialog, 'Expires').click();
  await page.getByRole('option', { name: 'On a date' }).click();
  await field(dialog, 'Date').fill(day);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText(/^Scopes: read\. .*11:59:59 PM GMT\+9/).waitFor();
  const { results } = await gatehouse.api.get('/api/api-keys/?limit=200');
  const { expires_at } = results.find(({ name }: { name: string }) => name === 'Until a day');
  expect(Date.parse(expires_at)).toBe(Date.parse(`${day}T14:59:59Z`));
});

test('lists the API keys that stop working with a person, and transfers one first', async () => {
  const { base, seeded } = gatehouse;
  const owner = await gatehouse.apiAs('owner');
  const email = 'leaving.admin@acme.example';
  const leaver = (await owner.post('/api/users/', { email, role: 'admin' })).external_uuid;
  const heir = seeded.people['marta.silva@acme.example'] ?? '';
  await setPassword(base, leaver);
  const own = await apiSignedIn(base, email, PASSWORD);
  const kept = await own.post('/api/api-keys/', { name: 'Payroll feed', scopes: ['read'] });
  const lost = await own.post('/api/api-keys/', { name: 'Old report', scopes: ['read'] });
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/people/${leaver}?ask=deactivate`);

  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 API keys will stop working').waitFor();
  await dialog.getByRole('link', { name: 'Transfer Payroll feed' }).click();
  const transfer = page.getByRole('dialog', { name: 'Transfer API key' });
  await field(transfer, 'Person').fill('marta');
  await page.getByRole('option', { name: /Marta Silva/ }).click();
  await transfer.getByRole('button', { name: 'Transfer key' }).click();
  await told(page, 'Payroll feed was transferred');
  await goto(`/people/${leaver}?ask=deactivate`);
  await dialog.getByText('1 API key will stop working').waitFor();
  await expect.poll(() => dialog.getByText('Payroll feed').count()).toBe(0);
  await dialog.getByLabel('Reason').fill('Left the company');
  await dialog.getByRole('button', { name: 'Deactivate person' }).click();
  await dialog.waitFor({ state: 'detached' });

  expect((await apiWithKey(base, kept.key).get('/api/me/')).external_uuid).toBe(heir);
  await expect(apiWithKey(base, lost.key).get('/api/me/')).rejects.toThrow(/: 401 /);
  await goto(`/settings/api-keys?user=${leaver}`);
  await page.getByText('Person deactivated').waitFor();
});

test('cancels open tasks in bulk, with progress', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  const { crm } = gatehouse.seeded.apps;
  // Of one action: the retries of failed tasks, which have others, become pending in between.
  const filter = `app=${crm}&status=pending&action=delete_account`;
  const open = async () => (await gatehouse.api.get(`/api/tasks/?${filter}`)).count;
  const before = await open();
  expect(before).toBeGreaterThan(5);
  await goto(`/tasks?${filter}`);

  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
  await page.getByText(`${before} selected`).waitFor();
  await page.getByRole('button', { name: 'Cancel open tasks' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type cancel to confirm').fill('cancel');
  await dialog.getByRole('button', { name: 'Cancel tasks' }).click();
  await page.getByText(`${before} tasks canceled.`).waitFor();
  await page.getByRole('dialog').getByText('Close').click();

  expect(await open()).toBe(0);
});

test('lists each failure of a bulk job, and continues', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('admin');
  expectRefusals([409]);
  const { directory } = gatehouse.seeded.apps;
  await goto(`/tasks?app=${directory}&status=pending`);
  const { results } = await gatehouse.api.get(`/api/tasks/?app=${directory}&status=pending`);
  expect(results.length).toBeGreaterThan(2);
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();

  // Someone else cancels one of them first.
  await gatehouse.api.post(`/api/tasks/${results[0].external_uuid}/cancel/`, {});
  await page.getByRole('button', { name: 'Cancel open tasks' }).click();
  await page.getByRole('dialog').getByLabel('Type cancel to confirm').fill('cancel');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel tasks' }).click();

  await page.getByText(`${results.length - 1} tasks canceled. 1 failure.`).waitFor();
  await page
    .getByRole('list', { name: 'Failures' })
    .getByText(/cancelled/)
    .waitFor();
});

test('changes all matching rows beyond the page, and can be stopped', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  const { crm } = gatehouse.seeded.apps;
  const ofSuspensions = `/api/tasks/?app=${crm}&action=suspend_account`;
  const suspensions = async (): Promise<number> => (await gatehouse.api.get(ofSuspensions)).count;
  // A seeded suspension that failed is retried after a while, and nobody can suspend its account a second time.
  for (const status of ['scheduled', 'pending'])
    for (const { external_uuid } of (await gatehouse.api.get(`${ofSuspensions}&status=${status}`)).results)
      await gatehouse.api.post(`/api/tasks/${external_uuid}/cancel/`, {});
  // The job cannot end before it is stopped.
  const stop = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/api/tasks/', async (route) => {
    sent += 1;
    if (sent > 20) await stop.promise;
    await route.continue();
  });
  const before = await suspensions();
  await goto(`/accounts?app=${crm}&status=ACTIVE`);
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
  await page.getByRole('button', { name: /^Select all \d+ matching$/ }).click();
  const selected = Number(/\d+/.exec((await page.getByText(/\d+ selected/).textContent()) ?? ''));
  expect(selected).toBeGreaterThan(50);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Suspend ${selected} accounts` })
    .click();

  const job = page.getByRole('dialog', { name: `Suspend ${selected} accounts`, exact: true });
  await job.getByText(new RegExp(`^[1-9]\\d* of ${selected} done`)).waitFor();
  await job.getByRole('button', { name: 'Stop' }).click();
  stop.resolve();
  const over = job.getByText(/Stopped. Completed changes are kept/);
  await over.waitFor();
  const done = Number(/^\d+/.exec((await over.textContent()) ?? ''));
  expect(done).toBeLessThan(selected);
  expect(await suspensions()).toBe(before + done);
});

test('changes all matching rows except one that is left out, also after another page was shown', async () => {
  const { page, goto, settled } = await gatehouse.visit('admin');
  const filter = `app=${gatehouse.seeded.apps.directory}&status=ACTIVE`;
  const { count } = await gatehouse.api.get(`/api/accounts/?${filter}&limit=1`);
  expect(count).toBeGreaterThan(50);
  const tasksOf = async (account: string): Promise<number> =>
    (await gatehouse.api.get(`/api/tasks/?account=${account}&action=suspend_account`)).count;
  await goto(`/accounts?${filter}`);
  const [first, second] = await page
    .locator('tbody')
    .getByRole('link')
    .evaluateAll((links) =>
      links.flatMap(
        (link) => /\/accounts\/([0-9a-f-]{36})/.exec((link as HTMLAnchorElement).href)?.[1] ?? [],
      ),
    );
  const before = [await tasksOf(first ?? ''), await tasksOf(second ?? '')];
  const leftOut = page.locator('tbody').getByRole('checkbox').first();
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
  await page.getByRole('button', { name: `Select all ${count} matching` }).click();
  await leftOut.uncheck();
  await page.getByText(`${count - 1} selected`).waitFor();

  await page.getByRole('button', { name: 'Next' }).click();
  await settled();
  await page.getByText(`${count - 1} selected`).waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await settled();
  await expect.poll(() => leftOut.isChecked()).toBe(false);

  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Suspend ${count - 1} accounts` })
    .click();
  await page.getByText(`${count - 1} tasks created`).waitFor();
  expect(await tasksOf(first ?? '')).toBe(before[0]);
  expect(await tasksOf(second ?? '')).toBe((before[1] ?? 0) + 1);
});

test('marks the error in a condition, and previews a policy', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('admin');
  expectRefusals([400], /policies\/(check|matches)/);
  await goto('/policies/new?from=empty');
  await field(page, 'Name').fill('Contractors lose the CRM');
  await pickFrom(page, 'Trigger', 'Every day');
  await page.getByRole('button', { name: 'Edit as text' }).click();
  await field(page, 'Condition').fill("user.domain_type = 'external'");
  await page.getByText(/^Line 1, column \d+/).waitFor();
  await field(page, 'Condition').fill("user.attributes.department == 'Sales'");
  await page.getByText('Valid expression').waitFor();
  await pickFrom(page, 'Action', 'Suspend');
  await pick(page, 'App', 'Customer CRM');
  await page
    .getByRole('main')
    .getByRole('button', { name: /^(Create|Save)/ })
    .click();
  await heading(page, 'Contractors lose the CRM').waitFor();
  await page.getByText(/This policy would create [\d,]+ tasks? now/).waitFor();
});

test('asks to type the name before archiving an app', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${gatehouse.seeded.apps.payroll}?tab=settings`);
  await page.getByRole('button', { name: 'Archive' }).click();
  const dialog = page.getByRole('dialog', { name: 'Archive Payroll?' });
  const archive = dialog.getByRole('button', { name: 'Archive' });
  const field = dialog.getByLabel('Type Payroll to confirm');
  await field.fill('payroll');
  await expect.poll(() => archive.isDisabled()).toBe(true);
  await field.fill('Payroll');
  await archive.click();

  await heading(page, 'Apps').waitFor();
  await page.getByRole('link', { name: 'Customer CRM' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Payroll' }).count()).toBe(0);
});

test('filters, opens and follows events', async () => {
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
  await page.getByText('Following: 0 new events so far.').waitFor();
  await setPassword(gatehouse.base, gatehouse.seeded.people['mei.chen@acme.example'] ?? '');
  await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Freshly connected' });
  await table.getByText('Freshly connected').waitFor();
});

test('shows changes of settings and decisions among the events, and can choose one catalog', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  const table = page.getByRole('table', { name: 'Events' });
  await gatehouse.api.patch('/api/policies/settings/', { task_limit: 900 });

  await goto('/events');
  await table.getByText('policy.settings_changed').first().waitFor();
  await goto('/events?catalog=configuration');
  await table
    .getByText(/changed the settings of policies: task limit from/)
    .first()
    .waitFor();
  await expect.poll(() => table.getByText('app.created').count()).toBe(0);
  await goto('/events?catalog=contract');
  await table.getByRole('link').first().waitFor();
  await expect.poll(() => table.getByText('policy.settings_changed').count()).toBe(0);
});

test('explains a failed task and retries it', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  const { tasks } = gatehouse.seeded;
  await goto(`/tasks/${tasks.failed}`);
  await page.getByText('The integration user may not change profiles').first().waitFor();
  await page.getByRole('button', { name: 'Retry task' }).click();
  await expect
    .poll(async () => {
      const { results } = await gatehouse.api.get('/api/tasks/?limit=200');
      return results.some((task: { retry_of: string | null }) => task.retry_of === tasks.failed);
    })
    .toBe(true);
});

test('approves a held removal only after its number is typed', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { code } = gatehouse.seeded.apps;
  await goto(`/apps/${code}`);
  await page.getByText(/This sync would take away/).waitFor();
  await page.getByRole('button', { name: 'Approve removal' }).click();
  const dialog = page.getByRole('dialog');
  const number = /Type ([\d,]+) to confirm/.exec((await dialog.textContent()) ?? '')?.[1] ?? '';
  await dialog.getByLabel(/^Type/).fill(number);
  await dialog.getByRole('button', { name: 'Approve removal' }).click();
  await expect
    .poll(async () => (await gatehouse.api.get(`/api/apps/${code}/syncs/?limit=1`)).results[0].status)
    .toBe('completed');
});

test('creates an API key and finds an event by keyboard', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/settings/api-keys');
  await tabTo(page, page.getByRole('button', { name: 'Create API key' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, field(dialog, 'Name'));
  await page.keyboard.type('Without a mouse');
  await tabTo(page, dialog.getByRole('checkbox', { name: 'bridge' }));
  await page.keyboard.press('Space');
  await tabTo(page, dialog.getByRole('radio', { name: 'Selected apps' }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'I saved the key' }));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Revoke Without a mouse' }).waitFor();

  await page.keyboard.press('Control+k');
  await typeInto(dialog.getByLabel('Search'), 'Events');
  await page.keyboard.press('Enter');
  await heading(page, 'Events').waitFor();
  const link = page.getByRole('link', { name: /Without a mouse/ });
  await tabTo(page, link);
  await page.keyboard.press('Enter');
  await dialog.getByText('api_key.created').first().waitFor();
});
