import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#test/app.ts';

const { call, close } = await openTestApp({ jobs: true });
afterAll(close);

test('shows pushed records once the session has completed', async () => {
  const app = await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' });
  const bridge = `/api/v1/bridge/apps/${app.body.id}`;
  await call('POST', `${bridge}/resource-types/`, { slug: 'user', name: 'Users', type: 'account' });
  const { body: session } = await call('POST', `${bridge}/sync/`);
  const records = [{ id: 'u1', email: 'ada@example.com' }];

  const page = await call('PUT', `${bridge}/sync/${session.sync_id}/user/`, { records });
  const before = await call('GET', `/api/accounts/?app=${app.body.id}`);
  const completed = await call('POST', `${bridge}/sync/${session.sync_id}/complete/`);
  await expect
    .poll(async () => (await call('GET', `${bridge}/sync/${session.sync_id}/`)).body.status, {
      timeout: 20_000,
    })
    .toBe('completed');
  const after = await call('GET', `/api/accounts/?app=${app.body.id}`);

  expect(app).toMatchObject({ status: 201, body: { configuration_status: 'CHECKING_CONFIGURATION' } });
  expect(page).toMatchObject({ status: 200, body: { total: 1, created: 1, updated: 0 } });
  expect(before.body).toMatchObject({ count: 0, results: [] });
  expect(completed.status).toBe(202);
  expect(after.body).toMatchObject({ count: 1, results: [{ email: 'ada@example.com', status: 'ACTIVE' }] });
});

test('rejects a call without a key', async () => {
  const answer = await call('GET', '/api/v1/bridge/apps/', undefined, { key: null });

  expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Api-Key' } });
});
