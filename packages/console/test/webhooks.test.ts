// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { openReceiver } from '../../server/test/receiver.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { field, heading, told } from './story.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

test('creates a webhook, shows its secret once, tests it, and follows its deliveries', async () => {
  const receiver = await openReceiver();
  const { page, context, goto, expectRefusals } = await gatehouse.visit('owner');
  expectRefusals([400], /webhooks/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gatehouse.url });
  await goto('/settings/webhooks');

  await page.getByRole('button', { name: 'Create webhook' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Name').fill('Directory');
  await field(dialog, 'Address').fill('http://10.0.0.1/');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText('which is not public').waitFor();
  await field(dialog, 'Address').fill(receiver.url);
  await field(dialog, 'Event type').fill('user.');
  await page.getByRole('option', { name: 'user.*' }).click();
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByRole('button', { name: 'Copy signing secret' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^whsec_/);
  const secret = await copied();
  await dialog.getByRole('button', { name: 'I saved the secret' }).click();
  await heading(page, 'Directory').waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Send example' }).click();
  await dialog.getByText('The receiver replied 200').waitFor();
  expect(receiver.verify(secret, receiver.received[0]!)).toMatchObject({ type: 'webhook.test' });
  await dialog.getByRole('button', { name: 'Done' }).click();

  await gatehouse.api.post('/api/users/', { email: 'new.hire@acme.example' });
  await page.getByRole('row', { name: /user\.created/ }).waitFor();
  receiver.verify(secret, receiver.received[1]!);
  await page.getByRole('button', { name: 'Details of user.created' }).click();
  await dialog.getByRole('link', { name: 'Show event' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByRole('button', { name: 'Create new secret' }).click();
  await dialog.getByRole('button', { name: 'Copy signing secret' }).click();
  await expect.poll(copied).not.toBe(secret);
  const rotated = await copied();
  await dialog.getByRole('button', { name: 'I saved the secret' }).click();
  await page.getByText('Valid until').waitFor();

  await page.getByRole('button', { name: 'Replay' }).click();
  await dialog.getByRole('radio', { name: 'From an event on' }).check();
  await field(dialog, 'Event ID').fill(receiver.received[1]?.id ?? '');
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await told(page, 'Deliveries continue from there');
  await expect.poll(() => receiver.received.length).toBeGreaterThan(2);
  expect(receiver.received[2]?.id).toBe(receiver.received[1]?.id);
  receiver.verify(rotated, receiver.received[2]!);

  await page.getByRole('button', { name: 'Pause' }).click();
  await told(page, 'Webhook paused');
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await told(page, 'Undone');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Enable' }).click();
  await dialog.getByText('Deliveries continue where they stopped').waitFor();
  await dialog.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByLabel('Type Directory to confirm').fill('Directory');
  await dialog.getByRole('button', { name: 'Delete webhook' }).click();
  await told(page, 'Webhook deleted');
});

test('shows a notification in the bell and in the inbox, and remembers that it was read', async () => {
  const api = await gatehouse.apiAs('owner');
  await api.post('/api/notifications/read/', { all: true });
  await api.post('/api/api-keys/', { name: 'Fresh key', scopes: ['read'] });
  await expect
    .poll(async () => (await api.get('/api/notifications/')).unread, { timeout: 20_000 })
    .toBeGreaterThan(0);
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/');

  await page.getByRole('link', { name: /^Notifications, \d+ unread$/ }).click();
  await heading(page, 'Inbox').waitFor();
  await page.getByRole('switch', { name: 'Unread only' }).click();
  await page.getByRole('link', { name: /Fresh key/ }).waitFor();
  await page.getByRole('button', { name: 'Mark all as read' }).click();

  await page.getByText('No unread notifications').waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Notifications', exact: true }).waitFor();
});

test('keeps the preferences of a person', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto('/settings/profile');
  await page.getByRole('link', { name: 'Choose what you get, and when' }).click();
  await heading(page, 'Notifications').waitFor();
  await expect.poll(() => page.getByRole('tab').count()).toBe(0);

  await field(page, 'Quiet from').fill('20:00');
  await page.getByRole('button', { name: 'Save preferences' }).click();
  await page.getByText('Enter both times of the quiet hours, or none.').waitFor();
  await field(page, 'Quiet until').fill('07:30');
  await page.getByRole('combobox', { name: 'A request needs a decision' }).click();
  await page.getByRole('option', { name: 'Inbox only' }).click();
  await page.getByRole('button', { name: 'Save preferences' }).click();
  await told(page, 'Preferences saved');

  const own = await (await gatehouse.apiAs('manager')).get('/api/notifications/preferences/');
  expect(own).toMatchObject({ quiet_from: '20:00', quiet_to: '07:30' });
  expect(own.kinds).toContainEqual(expect.objectContaining({ kind: 'request_waiting', setting: 'off' }));
});

test('adds and tests a Slack channel, and shows what was sent', async () => {
  const receiver = await openReceiver();
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/settings/notifications?tab=channels');
  await page.getByRole('button', { name: 'Add Slack channel' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Name').fill('#access');
  await field(dialog, 'Address of the incoming webhook').fill(`${receiver.url}T0KEN`);
  await dialog.getByRole('checkbox', { name: 'A task has failed' }).check();
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await told(page, 'Channel added');

  await page.getByRole('button', { name: 'Test #access' }).click();
  await told(page, '#access took the message');
  expect(receiver.received).toHaveLength(1);
  expect(await page.content()).not.toContain('T0KEN');

  await page.getByRole('tab', { name: 'Delivery log' }).click();
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
});
