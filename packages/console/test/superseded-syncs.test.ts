// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { apiWithKey } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { addApp, sync } from './seed-apps.ts';
import type { System } from './seed-company.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

const accounts = Array.from({ length: 20 }, (_, n) => ({
  id: `a${n}`,
  email: `a${n}@example.com`,
  username: `a${n}`,
  display_name: `Account ${n}`,
  status: 'active' as const,
  memberships: {},
  assignments: {},
}));
const system = (count: number): System => ({
  name: 'System',
  groups: [],
  licenses: [],
  accounts: accounts.slice(0, count),
});

test('says which keys discard the syncs of each other, until one completes', async () => {
  const { api, base } = gatehouse;
  const app = await addApp(api, 'Warehouse');
  const keyOf = async (name: string) =>
    apiWithKey(base, (await api.post('/api/api-keys/', { name, scopes: ['bridge'] })).key);
  const [a, b] = [await keyOf('Bridge A'), await keyOf('Bridge B')];
  for (const one of [a, b, a, b]) await one.post(`/api/v1/bridge/apps/${app}/sync/`);
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${app}?tab=syncs`);

  const alert = page.getByRole('alert', { name: 'Two connectors send this app' });
  await alert.getByText('Stop one of them, or give each an app of its own.').waitFor();
  await alert.getByText('The last one was started by Bridge A, the newer one by Bridge B.').waitFor();
  await page.getByRole('cell').getByText('Replaced by a newer session of Bridge A.').waitFor();

  await sync(api, app, system(20));
  await expect.poll(() => alert.count()).toBe(0);
});

test('says that a held sync pushed no account', async () => {
  const { api } = gatehouse;
  const app = await addApp(api, 'Depot');
  await sync(api, app, system(20));
  await sync(api, app, system(0));
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${app}?tab=syncs`);

  const alert = page.getByRole('alert', { name: 'This sync would take away 20 accounts' });
  await alert.getByText('The sync pushed no account.').waitFor();
  await alert.getByRole('button', { name: 'Approve removal' }).waitFor();
});
