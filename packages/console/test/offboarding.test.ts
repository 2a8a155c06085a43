// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { accountsOf, addApp, sync } from './seed-apps.ts';
import { told } from './story.ts';

let gatehouse: ConsoleTest<Company>;
let app: string;
const people: Record<string, string> = {};
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  const { api } = gatehouse;
  app = await addApp(api, 'Workshop');
  for (const name of ['mila', 'lea', 'ben'])
    people[name] = (await api.post('/api/users/', { email: `${name}.quits@acme.example` })).external_uuid;
  await api.patch(`/api/users/${people.lea}/`, { manager: people.mila });
  await api.patch(`/api/users/${people.ben}/`, { manager: people.lea });
  await push(['mila', 'lea']);
  await until(
    () => accountsOf(api, app),
    (found) => found.length === 2,
  );
  await api.patch(`/api/apps/${app}/`, { removal_guard: null });
  return gatehouse.close;
});

const KEYS = [{ id: 'keys', name: 'Keys of the workshop', risk: 'high' }];
const push = (names: string[]) =>
  sync(gatehouse.api, app, {
    ...{ name: 'Workshop', licenses: [] },
    groups: KEYS,
    accounts: names.map((name) => ({
      ...{ id: name, email: `${name}.quits@acme.example`, username: `${name}.quits`, display_name: '' },
      status: 'active' as const,
      ...{ memberships: { group: [{ id: 'keys' }] }, assignments: {} },
    })),
  });

test("removes a leaver's access, and hands over what is theirs", async () => {
  const { api } = gatehouse;
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/people/${people.lea}`);
  await page.getByRole('button', { name: 'Offboard', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Offboard / });
  await dialog.getByText('Workshop', { exact: true }).waitFor();
  await dialog.getByText('High risk: Keys of the workshop').waitFor();
  await expect.poll(() => dialog.getByRole('combobox', { name: '1 report' }).inputValue()).toContain('mila');

  await dialog.getByRole('button', { name: 'Offboard', exact: true }).click();

  await told(page, /offboarded$/);
  const rows = page.getByRole('list', { name: 'Removal of access' }).getByRole('listitem');
  await rows.getByRole('link', { name: 'Show proof' }).waitFor();
  const account = (await accountsOf(api, app)).find(({ email }) => email.startsWith('lea'));
  const { results } = await api.get(`/api/tasks/?account=${account?.external_uuid}`);
  expect(results.map(({ action }: { action: string }) => action).toSorted()).toEqual([
    'delete_account',
    'suspend_account',
  ]);
  expect((await api.get(`/api/users/${people.ben}/`)).manager).toBe(people.mila);
});

test('opens the policy that does the same for everyone', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/people/${people.lea}`);
  await page.getByRole('link', { name: 'Delete after 30 days' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue())
    .toBe('Leavers, deleted after 30 days');
  await page.getByText(/When a person is deactivated/).waitFor();
});

test('keeps an account that is chosen to stay', async () => {
  const { api } = gatehouse;
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/people/${people.mila}?ask=offboard`);
  const dialog = page.getByRole('dialog', { name: /^Offboard / });
  await dialog.getByRole('checkbox', { name: /^Suspend mila\.quits in Workshop/ }).uncheck();
  await dialog.getByRole('textbox', { name: /^Days until mila\.quits/ }).fill('');
  await dialog.getByRole('button', { name: 'Offboard', exact: true }).click();
  await told(page, /offboarded$/);
  await page.getByText('No removal is ordered').waitFor();
  expect((await api.get(`/api/users/${people.mila}/`)).status).toBe('deactivated');
});
