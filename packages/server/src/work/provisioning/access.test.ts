import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

let service: ProvisioningTest;
let task: string;
let otherApp: string;

beforeAll(async () => {
  service = await openProvisioningTest([{ id: 'a', email: 'a@acme.example' }]);
  const account = (await service.accountByEmail('a@acme.example')).external_uuid;
  const body = { app: service.appId, account, action: 'reset_password' };
  task = (await service.call('POST', '/api/tasks/', body)).body.external_uuid;
  otherApp = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Other' })).body.id;
});
afterAll(() => service.close());

const newKey = async (more: object) =>
  (await service.call('POST', '/api/api-keys/', { name: 'k', scopes: ['bridge', 'read', 'govern'], ...more }))
    .body.key;

/** Every operation on a task: method, path and body. */
const addresses = (): [string, string, object | undefined][] => [
  ['GET', `/api/v1/bridge/apps/${service.appId}/tasks/`, undefined],
  ['GET', `/api/v1/bridge/apps/${service.appId}/tasks/${task}/`, undefined],
  ['PATCH', `/api/v1/bridge/apps/${service.appId}/tasks/${task}/status/`, { status: 'nonsense' }],
  ['GET', `/api/tasks/${task}/`, undefined],
  ['POST', `/api/tasks/${task}/cancel/`, { reason: 1 }],
  ['POST', `/api/tasks/${task}/retry/`, undefined],
];

test('rejects a key for another app and keeps this app out of its lists', async () => {
  const caller = { key: await newKey({ apps: [otherApp] }) };
  for (const [method, path, body] of addresses()) {
    expect((await service.call(method, path, body, caller)).status).toBe(403);
  }
  expect((await service.call('GET', '/api/tasks/', undefined, caller)).body.count).toBe(0);
  expect((await service.call('GET', `/api/tasks/?app=${service.appId}`, undefined, caller)).status).toBe(403);
  expect((await service.call('GET', '/api/tasks/')).body.count).toBe(1);
});

test('returns 404 for a task of another app before it validates the body', async () => {
  const path = `/api/v1/bridge/apps/${otherApp}/tasks/${task}/`;
  expect((await service.call('GET', path)).status).toBe(404);
  expect((await service.call('PATCH', `${path}status/`, { status: 'nonsense' })).status).toBe(404);
});

test('archiving an app cancels its open tasks', async () => {
  const other = await openProvisioningTest([{ id: 'b', email: 'b@acme.example' }]);
  onTestFinished(() => other.close());
  const { external_uuid: account } = await other.accountByEmail('b@acme.example');
  const wanted = { app: other.appId, account, action: 'reset_password' };
  const { external_uuid: id } = (await other.call('POST', '/api/tasks/', wanted)).body;
  await other.news();
  expect((await other.call('DELETE', `/api/apps/${other.appId}/`)).status).toBe(204);
  expect(await other.news()).toContain('task.cancelled');
  const { body } = await other.call('GET', `/api/tasks/${id}/`);
  expect(body).toMatchObject({
    status: 'cancelled',
    explanation: { happened: 'The task was canceled: The app was archived.', advice: null },
  });
});
