import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../test/app.ts';
import { newOrganization } from '../../test/event-log.ts';
import { addPersonWithKey } from '../../test/people.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());

const refusals = async (query = '') =>
  (await service.call('GET', `/api/events/?event_type=privileged_call.refused&limit=200${query}`)).body
    .results;

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
      reason: 'The role member does not allow this.',
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
  for (let n = 0; n < 3; n++)
    expect((await service.call('GET', '/api/policies/', undefined, { key })).status).toBe(401);

  await expect.poll(async () => (await refusals('&actor_ip=127.0.0.1')).length).toBeGreaterThan(0);
  const found = (await refusals()).filter(
    ({ payload }: { payload: { status: number } }) => payload.status === 401,
  );
  expect(found).toMatchObject([
    {
      actor: { type: 'system', uuid: null, ip: '127.0.0.1' },
      payload: { route: '/api/policies/', reason: 'Missing or invalid API key.', api_key_id: null },
    },
  ]);
  expect(JSON.stringify(found)).not.toContain(key);
});

test('records nothing for other routes, and nothing under an unknown organization', async () => {
  const other = await newOrganization(service.database, 'other');
  const before = (await refusals()).length;
  const { key } = (await service.call('POST', '/api/api-keys/', { name: 'events', scopes: ['events'] })).body;
  expect((await service.call('GET', '/api/tasks/', undefined, { key })).status).toBe(403);
  expect((await service.call('GET', '/api/events/', undefined, { key: 'nobody' })).status).toBe(401);
  expect((await service.call('GET', '/api/policies/', undefined, { key: null, org: 'nowhere' })).status).toBe(
    401,
  );
  await service.app.close();

  const { rows } = await service.database.db
    .selectFrom('event' as never)
    .select(['org_id', 'event_type'] as never)
    .execute()
    .then((all) => ({ rows: all as { org_id: string; event_type: string }[] }));
  const stored = rows.filter(({ event_type }) => event_type === 'privileged_call.refused');
  expect(stored).toHaveLength(before);
  expect(stored.filter(({ org_id }) => org_id === other)).toEqual([]);
});
