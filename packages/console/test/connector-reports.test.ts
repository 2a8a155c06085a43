// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { faultsOf } from './axe.ts';
import { type ConsoleTest, openEmptyConsole } from './harness.ts';
import { accountsOf, addApp } from './seed-apps.ts';
import { field, pickFrom, told } from './story.ts';

let gatehouse: ConsoleTest<undefined>;
let app: string;
beforeAll(async () => {
  gatehouse = await openEmptyConsole();
  app = await addApp(gatehouse.api, 'Headquarters');
  return gatehouse.close;
});

const DN = 'cn=Print operators,ou=groups,dc=corp,dc=example';

/** Completes a sync of two accounts, one of them in the group of auditors if it is readable. */
async function syncWith(readable: boolean, unseen: object[]): Promise<string> {
  const { api } = gatehouse;
  const { sync_id } = await api.post(`/api/v1/bridge/apps/${app}/sync/`);
  const address = `/api/v1/bridge/apps/${app}/sync/${sync_id}`;
  const groups = [
    { id: 'audit', name: 'Auditors' },
    { id: 'guests', name: 'Guests' },
    { id: DN, name: 'Print operators' },
  ];
  const accounts = ['ann', 'ben'].map((id, at) => ({
    ...{ id, email: `${id}@corp.example`, username: id, display_name: id, status: 'active' },
    memberships: { group: readable && at === 0 ? [{ id: 'audit' }] : [] },
    assignments: {},
  }));
  await api.put(`${address}/group/`, { records: groups });
  await api.put(`${address}/account/`, { records: accounts });
  await api.post(`${address}/complete/`, { unseen });
  await until(
    () => api.get(`${address}/`),
    ({ status }) => status === 'completed',
  );
  return sync_id;
}

test('shows what syncs hide on the app, the sync, the list of groups and the group', async () => {
  await syncWith(true, []);
  const sync = await syncWith(false, [
    { slug: 'account', id: null, rule: 'class', count: 1204 },
    { slug: 'group', id: 'audit', rule: 'unreadable', count: 4 },
    { slug: 'group', id: 'guests', rule: 'foreign', count: 12 },
  ]);
  const visit = await gatehouse.visit('owner');
  const { page, goto } = visit;

  await goto(`/apps/${app}/syncs/${sync}`);
  await page.getByText('1,204 records are not accounts').waitFor();
  await goto(`/apps/${app}`);
  await page.getByText('12 members belong to another system or domain').waitFor();
  await page.getByRole('link', { name: 'Auditors' }).click();
  await page.getByText('4 members are hidden from syncs').waitFor();
  await page.getByText('Members that an earlier sync showed stay in the list').waitFor();
  await page.getByText('Last seen').waitFor();
  await goto(`/apps/${app}?tab=groups&hidden=true`);
  await page.getByText('0 and 12 hidden').waitFor();
  await expect.poll(() => page.getByText('Print operators').count()).toBe(0);
  await page.getByText('Guests').first().click();
  await page.getByText('All members of this group are hidden').waitFor();
  // This makes the window narrow.
  await goto(`/apps/${app}`);
  expect(await faultsOf(visit)).toEqual([]);
});

test('lists what a connector saw after a task by the names of the groups', async () => {
  const { api } = gatehouse;
  await syncWith(true, []);
  const account = (await accountsOf(api, app, 'ben@corp.example'))[0]?.external_uuid;
  const groups = { added: ['guests', DN], removed: [] };
  const task = await api.post('/api/tasks/', {
    ...{ app, account, action: 'update_account', changes: { group: groups } },
  });
  await api.get(`/api/v1/bridge/apps/${app}/tasks/?status=pending`);
  await api.patch(`/api/v1/bridge/apps/${app}/tasks/${task.external_uuid}/status/`, {
    status: 'failed',
    error: { code: 'INTERNAL_ERROR', message: 'The group accepts no members.' },
    result: {
      confirmed: 'none',
      seen: {
        account: 'active',
        held: [{ slug: 'group', id: 'guests' }],
        missing: [{ slug: 'group', id: DN }],
      },
    },
  });
  const { page, goto } = await gatehouse.visit('owner');

  await goto(`/tasks/${task.external_uuid}`);
  await page.getByText('Has Guests').waitFor();
  await page.getByText('Does not have Print operators').waitFor();
});

test('previews the user names of a template, and saves it', async () => {
  const { api } = gatehouse;
  await api.post('/api/users/', { email: 'mia.lund@corp.example', first_name: 'Mia', last_name: 'Lund' });
  const visit = await gatehouse.visit('owner');
  visit.expectRefusals([400], /user-name\/preview/);
  const { page, goto } = visit;
  await goto(`/apps/${app}?tab=settings`);
  const section = page.getByRole('region', { name: 'Usernames of new accounts' });
  await section.getByText('New accounts of these people would get these usernames.').waitFor();

  await pickFrom(page, 'Username', 'Template');
  await field(section, 'Template in CEL').fill('user.nothing');
  await expect.poll(() => section.getByRole('status').textContent()).toMatch(/nothing/);
  await expect.poll(() => section.getByRole('table').count()).toBe(0);
  await field(section, 'Template in CEL').fill('lower(user.last_name) + number');
  await section.getByRole('cell', { name: 'lund', exact: true }).waitFor();
  await section.getByRole('button', { name: 'Save' }).click();
  await told(page, 'Rule for usernames saved');

  expect((await api.get(`/api/apps/${app}/`)).user_name).toMatchObject({
    from: 'template',
    template: 'lower(user.last_name) + number',
  });
  expect(await faultsOf(visit)).toEqual([]);
});
