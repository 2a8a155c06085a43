import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
// biome-ignore lint/suspicious/noExplicitAny: the body of a suspension.
let suspension: any;
beforeAll(async () => {
  service = await openRequestsTest();
  await service.sync([
    { id: 'ada', email: service.ada.email },
    { id: 'owen', email: service.owen.email },
  ]);
  for (const { email } of [service.ada, service.owen]) {
    const account = (await service.accountByEmail(email)).external_uuid;
    const task = { app: service.appId, account, action: 'suspend_account', reason: 'misuse' };
    expect((await service.call('POST', '/api/tasks/', task)).status).toBe(201);
  }
  [suspension] = await list(`user=${service.ada.id}`);
});
afterAll(() => service.close());

const get = (path: string, by = {}) => service.call('GET', path, undefined, by);
const list = async (query = '', by = {}) => {
  const { status, body } = await get(`/api/suspensions/?${query}`, by);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.results;
};

test('shows members kinds of their own suspensions, and managers those of their reports', async () => {
  expect(await list()).toHaveLength(2);
  expect(suspension).toMatchObject({ reason: 'misuse', source: { label: 'misuse' }, user: service.ada.id });
  const source = { kind: 'manual', external_uuid: null, label: null };
  const hidden = { ...suspension, source, decided_by: null, reason: null };
  for (const by of [service.ada, service.grace]) {
    expect(await list('', by)).toEqual([hidden]);
    expect((await get(`/api/suspensions/${suspension.external_uuid}/`, by)).body).toEqual(hidden);
  }
  expect(await list(`user=${service.ada.id}`, service.owen)).toEqual([]);
  expect((await get(`/api/suspensions/${suspension.external_uuid}/`, service.owen)).status).toBe(403);
});

test('is limited to the apps of a key', async () => {
  const { body: other } = await service.call('POST', '/api/v1/bridge/apps/', { name: 'Other' });
  const key = await addPersonWithKey(service, 'admin', { apps: [other.id] });
  expect(await list('', key)).toEqual([]);
  expect((await get(`/api/suspensions/?app=${service.appId}`, key)).status).toBe(403);
  expect((await get(`/api/suspensions/${suspension.external_uuid}/`, key)).status).toBe(403);
});
