import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());

const check = (body: object, { bridge } = service) => bridge('POST', '/check/', body);

test('connects or disconnects the app depending on the check', async () => {
  const own = await openProvisioningTest();
  onTestFinished(() => own.close());
  const bad = await check({ ok: false, method: 'browser', message: 'Wrong password' }, own);
  expect(bad).toMatchObject({
    status: 200,
    body: { id: own.appId, configuration_status: 'DISCONNECTED' },
  });
  expect(await own.news()).toEqual(['warp.login.attempted', 'warp.login.failed', 'app.disconnected']);
  expect((await check({ ok: false, method: 'api' }, own)).body.configuration_status).toBe('DISCONNECTED');
  expect(await own.news()).toEqual(['warp.login.attempted', 'warp.login.failed']);
  expect((await check({ ok: true, method: 'api' }, own)).body.configuration_status).toBe('CONNECTED');
  expect(await own.news()).toEqual(['warp.login.attempted', 'app.connected']);
});

test('does not reconnect an app that an administrator disconnected', async () => {
  await service.call('POST', `/api/apps/${service.appId}/disconnect/`);
  onTestFinished(async () => {
    await service.call('POST', `/api/apps/${service.appId}/reconnect/`);
  });
  await service.news();
  expect((await check({ ok: true, method: 'api' })).body.configuration_status).toBe('DISCONNECTED');
  expect(await service.news()).toEqual(['warp.login.attempted']);
});

test.each([{}, { ok: 'yes', method: 'api' }, { ok: true, method: 'guess' }, { ok: true }])(
  '%o is refused',
  async (body) => {
    expect((await check(body)).status).toBe(400);
  },
);

test('returns 404 for an unknown app before the body is read', async () => {
  const path = `/api/v1/bridge/apps/${service.orgId}/check/`;
  expect((await service.call('POST', path, {})).status).toBe(404);
});
