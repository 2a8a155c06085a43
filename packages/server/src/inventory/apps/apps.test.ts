import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { eventsOf, organizationOf } from '#test/people.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
});
afterAll(() => service.close());

const BRIDGE = '/api/v1/bridge/apps/';
const create = (body: object) => call('POST', BRIDGE, body);
const addApp = async (name = 'App', clone_from: string | null = null) =>
  (await create({ name, clone_from })).body.id as string;

test('creates an app that awaits its configuration, and records an event (protocol 4.1)', async () => {
  const { ownerId } = await organizationOf(service);

  const { status, body } = await create({ name: 'Payroll', unknown: 'is ignored' });

  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    name: 'Payroll',
    configuration_status: 'CHECKING_CONFIGURATION',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    last_synced_at: null,
  });
  expect((await call('GET', `${BRIDGE}${body.id}/`)).body).toEqual(body);
  expect((await eventsOf(service, 'app.created')).at(-1)).toMatchObject({
    actor: { type: 'user', uuid: ownerId },
    subject: { type: 'app', uuid: body.id },
    source: { type: 'api' },
    payload: { app_id: body.id, app_name: 'Payroll', clone_from: null },
  });
});

test.each([1, 255])('accepts a name of %i characters in any script (D12)', async (length) => {
  const name = '😀'.repeat(length);

  expect(await create({ name })).toMatchObject({ status: 201, body: { name } });
});

test.each([
  ['no name', {}],
  ['null for a name', { name: null }],
  ['an empty name', { name: '' }],
  ['256 characters', { name: 'x'.repeat(256) }],
  ['a number for a name', { name: 7 }],
  ['a clone_from that is not a uuid', { name: 'x', clone_from: 'payroll' }],
  ['an empty clone_from', { name: 'x', clone_from: '' }],
  ['a NUL', { name: 'a\0b' }],
  ['a list', []],
  ['a text', '"x"'],
  ['no JSON', '{'],
])('an app is refused with %s', async (_, body) => {
  const before = (await call('GET', BRIDGE)).body.count;

  expect(await create(body as object)).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
  expect((await call('GET', BRIDGE)).body.count).toBe(before);
});

test('names the missing field (D5)', async () => {
  expect((await create({})).body).toEqual({
    detail: 'Field required (name)',
    code: 'invalid_field',
    values: { path: 'name', problem: { code: 'missing', values: {}, text: 'Field required' } },
    errors: [{ path: 'name', code: 'missing', message: 'Field required' }],
  });
});

test('returns 404 for an unknown app', async () => {
  const archived = await addApp();
  await call('DELETE', `/api/apps/${archived}/`);

  for (const id of [randomUUID(), archived]) {
    expect(await call('GET', `${BRIDGE}${id}/`)).toMatchObject({ status: 404 });
    expect(await create({ name: 'Clone', clone_from: id })).toMatchObject({ status: 404 });
  }
});

describe('the list', () => {
  const listed = async (query = '') => (await call('GET', `${BRIDGE}${query}`)).body;

  test('contains every app once and in the same order for every page size (D9)', async () => {
    for (let i = 0; i < 7; i++) await addApp(`Listed ${i}`);
    const whole = (await listed('?limit=200')).results;

    for (const limit of [1, 3, 50]) {
      const forward: unknown[] = [];
      for (let offset = 0; offset < whole.length; offset += limit) {
        forward.push(...(await listed(`?limit=${limit}&offset=${offset}`)).results);
      }
      expect(forward).toEqual(whole);
    }
    expect(whole.map(({ id }: { id: string }) => id)).toEqual(
      whole.map(({ id }: { id: string }) => id).toSorted(),
    );
  });

  test('omits archived apps', async () => {
    const id = await addApp();
    const before = (await listed()).count;

    await call('DELETE', `/api/apps/${id}/`);

    const after = await listed('?limit=200');
    expect(after.count).toBe(before - 1);
    expect(after.results).not.toContainEqual(expect.objectContaining({ id }));
  });
});
