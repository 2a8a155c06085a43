// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { faultsOf } from './axe.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { addProvider, type Provider, sendNonsense } from './seed-holds.ts';
import { field, heading, told } from './story.ts';

let gatehouse: ConsoleTest<Company>;
let provider: Provider;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  provider = await addProvider(gatehouse.base, await gatehouse.apiAs('owner'), gatehouse.api);
  return gatehouse.close;
});

const openHolds = async () => (await gatehouse.api.get('/api/holds/?status=open')).results;

test('shows a change of many people, what waits, and confirms it after a preview', async () => {
  const { api } = gatehouse;
  await provider.leave(provider.people.slice(0, 7));
  const [hold] = await until(openHolds, (found) => found.length === 1);
  await until(openHolds, ([one]) => one.tasks > 0 && one.affected === 7);
  const { page, goto, settled } = await gatehouse.visit('owner');

  await goto('/');
  await page.getByRole('alert').filter({ hasText: '1 hold waits for a decision' }).getByRole('link').click();
  await heading(page, '7 of 12 people: SCIM key Okta').waitFor();
  await settled();
  await page.getByText('7 of 12 (58.3%)').waitFor();
  await page.getByRole('row').filter({ hasText: 'Ada Example' }).first().waitFor();

  await page.getByRole('button', { name: 'Confirm…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/each person as they are now/).waitFor();
  await dialog.getByRole('textbox').fill('7');
  await dialog.getByRole('button', { name: 'Confirm hold' }).click();
  await told(page, 'Hold confirmed');
  await page.getByText('Confirmed', { exact: true }).waitFor();
  const tasks = () => api.get(`/api/tasks/?app=${provider.app}&status=pending`);
  expect((await until(tasks, ({ count }) => count === 7)).results[0].action).toBe('suspend_account');
  expect((await api.get(`/api/holds/${hold.external_uuid}/`)).status).toBe('confirmed');
});

test('discards a change with a reason, and leads to it from the person and from the list', async () => {
  const other = await addProvider(gatehouse.base, await gatehouse.apiAs('owner'), gatehouse.api, 'Entra');
  await other.leave(other.people.slice(0, 6));
  await until(openHolds, ([one]) => one?.affected === 6);
  const { page, goto } = await gatehouse.visit('admin');

  await goto(`/people/${other.people[0]}`);
  const banner = page.getByRole('alert').filter({ hasText: 'waits for a decision' });
  await banner.getByRole('link', { name: /^6 of \d+ people/ }).waitFor();
  await goto('/holds?status=open');
  await page.getByRole('link', { name: /^6 of \d+ people: SCIM key Entra/ }).click();
  await page.getByRole('button', { name: 'Discard…' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByRole('button', { name: 'Discard hold' }).isDisabled()).toBe(true);
  await field(dialog, 'Reason').fill('The filter of the provider was wrong.');
  await dialog.getByRole('button', { name: 'Discard hold' }).click();
  await told(page, 'Hold discarded');
  await page.getByText('The filter of the provider was wrong.').waitFor();
  expect((await gatehouse.api.get(`/api/tasks/?app=${other.app}&status=pending`)).count).toBe(0);
});

test('an auditor sees holds and cannot decide', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto('/holds');
  await page
    .getByRole('link', { name: /SCIM key/ })
    .first()
    .click();
  await page.getByText('Counted over').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /Confirm|Discard/ }).count()).toBe(0);
});

test('shows SCIM clients with what was not applied, and releases their people after a preview', async () => {
  await sendNonsense(provider);
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/settings/identity-provider');
  const client = page.getByRole('region', { name: 'Okta' });
  await client.getByRole('row').filter({ hasText: 'manager' }).waitFor();
  await client.getByRole('link', { name: '1 request' }).waitFor();

  await client.getByRole('button', { name: 'Release people of Okta' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('12 people stay as they are and can be edited here.').waitFor();
  await dialog.getByRole('textbox').fill('Okta');
  await dialog.getByRole('button', { name: 'Release people' }).click();
  await told(page, '12 people released');
  expect((await gatehouse.api.get(`/api/users/${provider.people[0]}/`)).sources ?? {}).toEqual({});
});

test('changes the limits of the organization', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/settings/organization');
  const section = page.getByRole('region', { name: 'Changes of many people' });
  await section.getByLabel('More than this percentage').first().fill('20');
  await section
    .getByRole('switch', { name: 'Hold when a group loses many members' })
    .uncheck({ force: true });
  await section.getByRole('button', { name: 'Save limits' }).click();
  await told(page, 'Limits saved');
  expect(await gatehouse.api.get('/api/organization/')).toMatchObject({
    people_guard: { percent: 20, at_least: 5 },
    group_guard: null,
  });
  await expect.poll(() => page.getByRole('button', { name: 'Save limits' }).count()).toBe(0);
});

test('the pages are usable wide and narrow, in light and dark', async () => {
  const visit = await gatehouse.visit('owner');
  const [hold] = (await gatehouse.api.get('/api/holds/')).results;
  for (const address of ['/holds', `/holds/${hold.external_uuid}`, '/settings/identity-provider']) {
    await visit.page.setViewportSize({ width: 1440, height: 900 });
    await visit.page.emulateMedia({ colorScheme: 'light' });
    await visit.page.goto(gatehouse.home + address);
    expect(await faultsOf(visit), address).toEqual([]);
  }
});
