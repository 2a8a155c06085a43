// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { faultsOf } from './axe.ts';
import { type ConsoleTest, openEmptyConsole } from './harness.ts';
import { accountsOf, addApp } from './seed-apps.ts';
import { heading } from './story.ts';

let gatehouse: ConsoleTest<undefined>;
let app: string;
beforeAll(async () => {
  gatehouse = await openEmptyConsole();
  app = await addApp(gatehouse.api, 'Headquarters');
  return gatehouse.close;
});

const GROUPS = [
  { id: 'payments', name: 'Approve payments' },
  { id: 'archive', name: 'Read the archive' },
];

/** Pushes accounts that are all in these groups. */
async function syncOf(ids: string[], groups = GROUPS): Promise<void> {
  const { api } = gatehouse;
  const { sync_id } = await api.post(`/api/v1/bridge/apps/${app}/sync/`);
  const address = `/api/v1/bridge/apps/${app}/sync/${sync_id}`;
  await api.put(`${address}/group/`, { records: GROUPS });
  const memberships = { group: groups.map(({ id }) => ({ id })) };
  const records = ids.map((id) => ({ id, email: `${id}@corp.example`, memberships }));
  await api.put(`${address}/account/`, { records });
  await api.post(`${address}/complete/`);
  await until(
    () => api.get(`${address}/`),
    ({ status }) => status === 'completed',
  );
}

test('the proof of a removal ends with the sync that showed it gone', async () => {
  const { api } = gatehouse;
  await syncOf(['ann', 'ben', 'cyd']);
  const account = (await accountsOf(api, app, 'ann@corp.example'))[0]?.external_uuid;
  const order = { app, account, action: 'delete_account', reason: 'Left the company' };
  const { external_uuid: task } = await api.post('/api/tasks/', order);
  const visit = await gatehouse.visit('owner');
  const { page, goto } = visit;

  await goto(`/tasks/${task}`);
  await page.getByRole('link', { name: 'Proof' }).click();
  await heading(page, 'Proof of removal').waitFor();
  const chain = page.getByRole('list', { name: 'From the decision to the proof' });
  await chain.getByText('An administrator ordered it.').waitFor();
  await chain.getByText('Left the company').first().waitFor();
  await expect.poll(() => chain.getByText('Not yet').count()).toBe(2);
  expect(await faultsOf(visit)).toEqual([]);

  // Somebody takes another group away before the account goes.
  await syncOf(['ann', 'ben', 'cyd'], GROUPS.slice(0, 1));
  await api.get(`/api/v1/bridge/apps/${app}/tasks/?status=pending`);
  await api.patch(`/api/v1/bridge/apps/${app}/tasks/${task}/status/`, { status: 'completed' });
  await syncOf(['ben', 'cyd'], GROUPS.slice(0, 1));
  await goto(`/accounts/${account}`);
  await page.getByRole('link', { name: 'Proof of removal' }).click();
  await page.getByText('Proven', { exact: true }).waitFor();
  await chain.getByText('A sync of Headquarters showed that the access was gone.').waitFor();
  const went = page.getByRole('region', { name: 'Went with the account' });
  await went.getByText('Approve payments').waitFor();
  await expect.poll(() => went.getByText('Read the archive').count()).toBe(0);
  const address = page.getByText(`/accounts/${account}/proof`);
  await expect.poll(() => address.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  await address.waitFor();
  await page.emulateMedia({ media: 'screen' });
  await page.getByText('Not linked to a person').waitFor();
  const json = page.getByRole('link', { name: 'JSON' });
  await expect.poll(() => json.getAttribute('href')).toContain(`/api/accounts/${account}/proof/`);
  await chain.getByRole('link', { name: 'Open sync' }).click();
  await page.waitForURL(/\/syncs\//);

  await syncOf(['ann', 'ben', 'cyd']);
  await goto(`/tasks/${task}/proof`);
  await page.getByText('Came back without a decision: The account').waitFor();
  expect(await faultsOf(visit)).toEqual([]);
});
