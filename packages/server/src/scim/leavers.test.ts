import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../test/app.ts';
import { newUser, openScim, patchOf, type Scim } from '../../test/scim.ts';

let service: TestApp;
let scim: Scim;
beforeAll(async () => {
  service = await openTestApp({ jobs: true });
  ({ scim } = await openScim(service));
});
afterAll(() => service.close());

test.each([
  [
    'is set inactive',
    (id: string) => scim('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' })),
  ],
  ['is deleted', (id: string) => scim('DELETE', `/Users/${id}`)],
])('policies for leavers create tasks when a user %s', async (_, leave) => {
  const sent = newUser();
  const { id } = (await scim('POST', '/Users', sent)).body;
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: `App of ${sent.userName}` })).body;
  const bridge = `/api/v1/bridge/apps/${app.id}`;
  await service.call('POST', `${bridge}/resource-types/`, { slug: 'user', name: 'Users', type: 'account' });
  const { sync_id } = (await service.call('POST', `${bridge}/sync/`)).body;
  const records = [{ id: 'u', email: sent.userName }];
  await service.call('PUT', `${bridge}/sync/${sync_id}/user/`, { records });
  await service.call('POST', `${bridge}/sync/${sync_id}/abandon/`);
  const accounts = async () => (await service.call('GET', `/api/accounts/?app=${app.id}`)).body.results;
  await expect.poll(accounts).toMatchObject([{ user: id }]);
  const policy = await service.call('POST', '/api/policies/', {
    name: `Leavers of ${app.name}`,
    trigger: 'user.deactivated',
    condition: `user.id == "${id}"`,
    effects: [{ do: 'delete', app: app.id }],
    enabled: true,
  });
  expect(policy.status).toBe(201);
  expect((await leave(id)).status).toBeLessThan(300);
  const tasks = async () => (await service.call('GET', `/api/tasks/?app=${app.id}`)).body.results;
  await expect
    .poll(tasks, { timeout: 20_000 })
    .toMatchObject([{ action: 'delete_account', task_type: 'POLICY' }]);
});
