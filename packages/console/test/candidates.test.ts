// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { expectRows } from './story.ts';

let gatehouse: ConsoleTest<Company>;
/** An app that keeps two records for the email of the account that a task created. */
let app: string;
let account: string;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  const { api } = gatehouse;
  app = (await api.post('/api/v1/bridge/apps/', { name: 'Data Warehouse' })).id;
  const bridge = `/api/v1/bridge/apps/${app}`;
  await api.post(`${bridge}/resource-types/`, { slug: 'account', name: 'Accounts', type: 'account' });
  const email = 'nora.quist@acme.example';
  const user = (await api.post('/api/users/', { email, first_name: 'Nora', last_name: 'Quist' }))
    .external_uuid;
  const task = await api.post('/api/tasks/', { app, user, action: 'create_account' });
  account = task.app_user.external_uuid;
  await api.patch(`${bridge}/tasks/${task.external_uuid}/status/`, { status: 'completed' });
  const { sync_id } = await api.post(`${bridge}/sync/`);
  await api.put(`${bridge}/sync/${sync_id}/account/`, {
    records: [
      { id: 'U-1001', email, username: 'nquist', display_name: 'Nora Quist' },
      { id: 'U-2001', email, username: 'adm-nora', display_name: 'Nora Quist (administration)' },
    ],
  });
  await api.post(`${bridge}/sync/${sync_id}/complete/`);
  await until(
    () => api.get(`${bridge}/sync/${sync_id}/`),
    ({ status }) => status === 'completed',
  );
  return gatehouse.close;
});

test('an administrator chooses which record the created account is', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts?app=${app}&correlation=ambiguous`);
  await expectRows(page, 1);
  await goto(`/accounts/${account}`);
  const section = page.getByRole('region', { name: 'Record to choose' });
  await section.getByText('several records of Data Warehouse may be it').waitFor();
  const row = section.getByRole('row').filter({ hasText: 'U-1001' });
  await row.getByRole('button', { name: 'Choose' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose the record U-1001?' });
  await dialog.getByRole('button', { name: 'Choose' }).click();
  await section.waitFor({ state: 'detached' });
  const { external_id, status, candidates } = await gatehouse.api.get(`/api/accounts/${account}/`);
  expect([external_id, status, candidates]).toEqual(['U-1001', 'ACTIVE', undefined]);
});
