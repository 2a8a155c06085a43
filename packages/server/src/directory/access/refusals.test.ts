import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey } from '#test/people.ts';
import { MOST_LOOKUPS } from './refusals.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());

const refusals = async (query = '', { call } = service) =>
  (await call('GET', `/api/events/?event_type=privileged_call.refused&limit=200${query}`)).body.results;

test('records a refused call of a key once a minute for each route', async () => {
  const { id, key } = await addPersonWithKey(service, 'member');
  const call = (path: string) => service.call('GET', path, undefined, { key });
  for (let n = 0; n < 3; n++) expect((await call('/api/policies/')).status).toBe(403);
  expect((await call('/api/reviews/')).status).toBe(403);

  await expect.poll(() => refusals(`&actor_uuid=${id}`)).toHaveLength(2);
  expect((await refusals(`&actor_uuid=${id}`))[1]).toMatchObject({
    category: 'configuration',
    actor: { type: 'user', uuid: id, ip: '127.0.0.1' },
    subject: { type: 'platform_user', uuid: id },
    source: { type: 'api' },
    payload: {
      method: 'GET',
      route: '/api/policies/',
      status: 403,
      reason: 'This requires the role owner or admin or auditor.',
    },
  });
});

test('records the route with placeholders instead of ids', async () => {
  const { id, key } = await addPersonWithKey(service, 'auditor');
  for (const policy of ['0199a000-0000-7000-8000-000000000001', '0199a000-0000-7000-8000-000000000002'])
    await service.call('DELETE', `/api/policies/${policy}/`, undefined, { key });

  await expect.poll(() => refusals(`&actor_uuid=${id}`)).toHaveLength(1);
  expect((await refusals(`&actor_uuid=${id}`))[0].payload.route).toBe('/api/policies/{policy_id}/');
});

test('records unknown keys by their address, and never the key', async () => {
  const key = 'a-key-that-nobody-has-ever-created-here';
  const other = await openTestApp({ own: true });
  onTestFinished(() => other.close());
  for (let n = 0; n < 3; n++)
    expect((await other.call('GET', '/api/policies/', undefined, { key })).status).toBe(401);

  const byStrangers = async () =>
    (await refusals('', other)).filter(
      ({ payload }: { payload: { status: number } }) => payload.status === 401,
    );
  await expect.poll(byStrangers).toHaveLength(1);
  const found = await byStrangers();
  expect(found).toMatchObject([
    {
      actor: { type: 'system', uuid: null, ip: '127.0.0.1' },
      payload: { route: '/api/policies/', reason: 'Missing or invalid API key.', api_key_id: null },
    },
  ]);
  expect(JSON.stringify(found)).not.toContain(key);
});

test('records nothing for other routes, and nothing under an unknown organization', async () => {
  const before = (await refusals()).length;
  const { key } = (await service.call('POST', '/api/api-keys/', { name: 'events', scopes: ['events'] })).body;
  const refusedBy = async (path: string, options: object) =>
    (await service.call('GET', path, undefined, options)).status;
  expect(await refusedBy('/api/tasks/', { key })).toBe(403);
  expect(await refusedBy('/api/events/', { key: 'nobody' })).toBe(401);
  expect(await refusedBy('/api/policies/', { key: null, org: 'nowhere' })).toBe(401);

  const member = await addPersonWithKey(service, 'member');
  await refusedBy('/api/policies/', member);
  await expect.poll(() => refusals(`&actor_uuid=${member.id}`)).toHaveLength(1);
  expect(await refusals()).toHaveLength(before + 1);
});

const fromStranger = (remoteAddress: string, route: string, org = service.org, userAgent = 'test') =>
  service.app.http.inject({
    url: `/org/${org}${route}`,
    remoteAddress,
    headers: { 'user-agent': userAgent },
  });
const byAddress = async (prefix: string) =>
  (await refusals()).filter(({ actor }: { actor: { ip: string } }) => actor.ip.startsWith(prefix));

test('records the strangers of an IPv6 /64 network once, with a short user agent', async () => {
  await fromStranger('2001:db8::1', '/api/policies/', undefined, 'x'.repeat(5000));
  await fromStranger('2001:db8::2', '/api/policies/');
  await fromStranger('2001:db8:0:1::1', '/api/policies/');

  await expect.poll(() => byAddress('2001:db8:0:1:')).toHaveLength(1);
  expect(await byAddress('2001:db8::')).toHaveLength(1);
  expect((await byAddress('2001:db8::'))[0].actor.user_agent).toHaveLength(512);
});

test('bounds the look-ups of organizations that strangers name', async () => {
  await fromStranger('192.0.2.1', '/api/policies/');
  await expect.poll(() => byAddress('192.0.2.1')).toHaveLength(1);
  for (let n = 0; n < MOST_LOOKUPS; n++) await fromStranger('192.0.2.2', '/api/policies/', `nowhere-${n}`);

  await fromStranger('192.0.2.3', '/api/policies/');

  const member = await addPersonWithKey(service, 'member');
  await service.call('GET', '/api/policies/', undefined, member);
  await expect.poll(() => refusals(`&actor_uuid=${member.id}`)).toHaveLength(1);
  expect(await byAddress('192.0.2.3')).toHaveLength(0);
});
