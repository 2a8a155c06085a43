// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { uploadSheet } from './seed-apps.ts';
import { STAFF } from './seed-company.ts';
import { field, heading, pick, pickFrom, told } from './story.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

test('a member carries out a task by hand, with an attachment, and refuses another', async () => {
  const { api, seeded } = gatehouse;
  const app = seeded.apps.crm;
  const owner = await gatehouse.visit('owner');
  await owner.goto(`/apps/${app}?tab=fulfillment`);
  await owner.page
    .getByRole('switch', { name: 'People carry out the tasks of this app' })
    .check({ force: true });
  await pick(owner.page, 'Fulfillers', STAFF.member);
  await owner.page.keyboard.press('Escape');
  await field(owner.page, 'Create account').fill(
    'Open {{app}} and invite {{email}}.\n<b>Then tell them.</b>',
  );
  await owner.page.getByRole('button', { name: 'Save' }).click();
  await told(owner.page, 'Fulfillment saved');
  expect((await api.get(`/api/apps/${app}/fulfillment/`)).people).toHaveLength(1);

  const [first, second] = ['first.hand@acme.example', 'second.hand@acme.example'];
  for (const email of [first, second]) {
    const { external_uuid: user } = await api.post('/api/users/', { email });
    await api.post('/api/tasks/', { app, user, action: 'create_account' });
  }
  await until(
    () => api.get('/api/fulfillment/tasks/'),
    ({ count }) => count >= 2,
  );

  const member = await gatehouse.visit('member');
  const { page } = member;
  await member.goto('/');
  const home = page.getByRole('region', { name: 'Waiting for you' });
  await home.getByText('due in').waitFor();
  await home.getByRole('button', { name: 'Mark as done' }).waitFor();
  await home.getByRole('link', { name: '2 tasks' }).click();
  await page.waitForURL(/[/]tasks[?]whose=mine$/);
  await expect.poll(() => page.getByRole('link', { name: 'Tasks 2 waiting' }).count()).toBe(1);
  // The address in emails until the pages became one.
  await member.goto('/my-tasks');
  await page.waitForURL(/[/]tasks[?]whose=mine$/);
  await page.getByRole('link', { name: new RegExp(first) }).click();
  await heading(page, new RegExp(first)).waitFor();
  await page.getByText(`invite ${first}.`).waitFor();
  await page.getByText('<b>Then tell them.</b>').waitFor();

  const file = { name: 'proof.html', mimeType: 'text/html', buffer: Buffer.from('<script>1</script>') };
  await page.locator('input[type=file]').setInputFiles(file);
  await told(page, 'File attached');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'proof.html' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('proof.html');
  const chunks = await (await download.createReadStream()).toArray();
  expect(Buffer.concat(chunks).toString()).toBe('<script>1</script>');

  await page.getByRole('button', { name: 'Mark as done' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Account ID').fill('first.hand');
  await field(dialog, 'Note').fill('Invited by hand');
  await dialog.getByRole('button', { name: 'Mark as done' }).click();
  await told(page, 'Task completed');
  await page.getByText('Invited by hand').waitFor();
  const { results } = await api.get(`/api/accounts/?app=${app}&email=${first}`);
  expect(results[0]).toMatchObject({ external_id: 'first.hand' });

  await member.goto('/tasks');
  await page.getByRole('link', { name: new RegExp(second) }).click();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await pickFrom(page, 'Reason', 'No free seats');
  await field(dialog, 'Message').fill('All seats are taken.');
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await page.getByText('All seats are taken.').waitFor();
});

test('makes an app by hand that people can request, without a guide to a connector', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto('/apps/new?type=by_hand&name=Door badges');
  // The person who adds the app carries out its tasks, unless they choose somebody else.
  await page.getByText('admin@acme.example').waitFor();
  await page
    .getByRole('button', { name: /^Remove/ })
    .or(page.locator('.mantine-Pill-remove'))
    .first()
    .click();
  await page.getByRole('button', { name: 'Create app' }).click();
  await page.getByText('Nobody would carry out the tasks').waitFor();
  await pick(page, 'Fulfillers', STAFF.member);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create app' }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]+\/accounts$/);
  await goto(`${page.url().match(/\/apps\/[0-9a-f-]+/)}?tab=fulfillment`);
  await page.getByRole('switch', { name: 'People carry out the tasks of this app', checked: true }).waitFor();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByText('account (account)').waitFor();
  await settled();
  await expect.poll(() => page.getByRole('button', { name: 'Create API key' }).count()).toBe(0);

  const member = await gatehouse.visit('manager');
  await member.goto('/requests/new');
  await member.page.getByLabel('Search by name or description').fill('Door badges');
  await member.page.getByRole('button', { name: 'Choose Account in Door badges' }).click();
  await member.page.getByLabel('Reason').fill('I start on Monday.');
  await member.page.getByRole('button', { name: 'Request access' }).click();
  await heading(member.page, /^REQ-\d+: access to Door badges/).waitFor();
});

test('an app of a spreadsheet says who carries out its tasks, or that nobody does', async () => {
  const { api } = gatehouse;
  const { id: app } = await api.post('/api/v1/bridge/apps/', { name: 'Crew sheet' });
  await uploadSheet(api, app, 'id,email\n1,zoe@sheet.example\n2,max@sheet.example\n');
  const accounts = () => api.get(`/api/accounts/?app=${app}&sort=email`);
  const { results } = await until(accounts, ({ count }) => count === 2);

  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts?app=${app}&sort=email`);
  await page.getByRole('checkbox', { name: /^Select max@sheet\.example/ }).check();
  await page
    .getByRole('group', { name: 'Selected rows' })
    .getByRole('button', { name: 'Suspend', exact: true })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend 1 account' }).click();
  await page.getByRole('status').getByText('1 task created, assigned to admin@acme.example.').waitFor();

  const fulfillment = `/api/apps/${app}/fulfillment/`;
  const { external_uuid: only } = await api.post('/api/users/', { email: 'only.one@acme.example' });
  await api.put(fulfillment, { ...(await api.get(fulfillment)), people: [only] });
  await api.post(`/api/users/${only}/deactivate/`, {});
  await goto('/apps?q=Crew sheet');
  await page
    .getByRole('row')
    .filter({ hasText: 'Crew sheet' })
    .getByText('Nobody carries out tasks')
    .waitFor();
  const warning = page.getByRole('alert').filter({ hasText: 'Nobody carries out the tasks of Crew sheet' });
  const zoe = results.find(({ email }: { email: string }) => email.startsWith('zoe')).external_uuid;
  for (const address of [
    `/apps/${app}`,
    `/tasks?app=${app}`,
    `/accounts/${zoe}?ask=suspend`,
    `/accounts/${zoe}?ask=delete`,
    `/accounts/${zoe}?ask=access`,
  ]) {
    await goto(address);
    await warning.waitFor();
  }
});
