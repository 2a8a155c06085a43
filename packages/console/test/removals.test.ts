// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { accountsOf, addApp, sync } from './seed-apps.ts';
import { told } from './story.ts';

const LATER_DAYS = 20;

let gatehouse: ConsoleTest<Company>;
let app: string;
/** The accounts of two people who have left. Nothing is under way for the first one, and a task deletes the second one later. */
const accounts: { external_uuid: string; email: string }[] = [];
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  const { api } = gatehouse;
  app = await addApp(api, 'Canteen');
  const emails = ['first.gone@acme.example', 'second.gone@acme.example'];
  const people: string[] = [];
  for (const email of emails) people.push((await api.post('/api/users/', { email })).external_uuid);
  await sync(api, app, {
    ...{ name: 'Canteen', groups: [], licenses: [] },
    accounts: emails.map((email) => ({
      ...{ id: email, email, username: email, display_name: '', status: 'active' },
      ...{ memberships: {}, assignments: {} },
    })),
  });
  accounts.push(
    ...(await until(
      () => accountsOf(api, app),
      (found) => found.length === 2,
    )),
  );
  accounts.sort((one, other) => one.email.localeCompare(other.email));
  await api.patch(`/api/apps/${app}/`, { removal_guard: null });
  for (const id of people) await api.post(`/api/users/${id}/deactivate/`, {});
  const execute_after = new Date(Date.now() + LATER_DAYS * 86_400_000).toISOString();
  const account = accounts[1]?.external_uuid;
  await api.post('/api/tasks/', { app, account, action: 'delete_account', execute_after });
  return gatehouse.close;
});

const deletionsOf = async (at: number) =>
  (await gatehouse.api.get(`/api/tasks/?account=${accounts[at]?.external_uuid}&action=delete_account`))
    .results;

test('leavers show the deletion that is scheduled, and are not deleted twice', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people?tab=leavers');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('second.gone')
    .getByRole('link', { name: /^Deletion scheduled/ })
    .waitFor();
  for (const name of ['first.gone', 'second.gone']) await row(name).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete accounts' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 account loses its groups and licenses').waitFor();
  await dialog.getByRole('checkbox', { name: /Also delete now 1 account/ }).waitFor();
  await dialog.getByRole('textbox').fill('delete 2');
  await dialog.getByRole('button', { name: 'Delete accounts' }).click();
  await until(
    () => deletionsOf(0),
    (found) => found.length === 1,
  );
  expect(await deletionsOf(1)).toMatchObject([{ status: 'scheduled' }]);
});

test('an account that is being deleted offers no second deletion', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts/${accounts[0]?.external_uuid}?ask=delete`);
  const dialog = page.getByRole('dialog', { name: /is being deleted$/ });
  await dialog.getByRole('link', { name: 'A task already deletes this account' }).waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
});

test('a deletion that is scheduled for later can be done now', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts/${accounts[1]?.external_uuid}?ask=delete`);
  const dialog = page.getByRole('dialog', { name: /now\?$/ });
  await dialog.getByText('A new task replaces it and starts now.').waitFor();
  await dialog.getByRole('textbox').fill('second.gone@acme.example');
  await dialog.getByRole('button', { name: 'Delete now instead' }).click();
  await told(page, /task created/);
  expect((await deletionsOf(1)).map(({ status }: { status: string }) => status).toSorted()).toEqual([
    'pending',
    'preempted',
  ]);
});

test('a reverted sync shows the reason', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const [session] = (await gatehouse.api.get(`/api/apps/${app}/syncs/`)).results;
  await gatehouse.api.post(`/api/apps/${app}/syncs/${session.sync_id}/revert/`, {
    reason: 'The list was old.',
  });
  await goto(`/apps/${app}/syncs/${session.sync_id}`);
  await page.getByRole('alert').getByText('Reason: The list was old.').waitFor();
});
