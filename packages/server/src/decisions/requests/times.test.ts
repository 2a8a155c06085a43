import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';

/** Days and times of requests and tasks (D67). */
let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
  const { status, body } = await service.call('PATCH', '/api/organization/', {
    time_zone: 'Pacific/Honolulu',
  });
  expect({ status, body }).toMatchObject({ status: 200, body: { time_zone: 'Pacific/Honolulu' } });
});
afterAll(() => service.close());

const YEAR = new Date().getUTCFullYear() + 1;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('a day is a day in the time zone of the organization, and includes its last moment as an end', async () => {
  const { status, body } = await service.ask({ start_time: `${YEAR}-03-01`, end_time: `${YEAR}-03-31` });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { start_time: `${YEAR}-03-01T10:00:00.000Z`, end_time: `${YEAR}-04-01T09:59:59.999Z` },
  });
});

test('access can start and end on one day', async () => {
  expect(await service.ask({ start_time: `${YEAR}-03-01`, end_time: `${YEAR}-03-01` })).toMatchObject({
    status: 201,
  });
});

test('a time without an offset stays UTC', async () => {
  const { body } = await service.ask({ end_time: `${YEAR}-03-31T12:00` });
  expect(body).toMatchObject({ end_time: `${YEAR}-03-31T12:00:00.000Z` });
});

test.each([
  ['start_time', '0001-01-01T00:00:00Z', 'start_time must not be before today'],
  ['start_time', inDays(-400), 'start_time must not be before today'],
  ['start_time', inDays(-2).slice(0, 10), 'start_time must not be before today'],
  ['start_time', inDays(11 * 366), 'start_time must be at most 10 years from now'],
  ['end_time', '9999-12-31T00:00:00Z', 'end_time must be at most 10 years from now'],
])('a %s of %s is refused', async (field, value, detail) => {
  expect(await service.ask({ [field]: value })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining(detail) },
  });
});

test.each(['0001-01-01T00:00:00Z', inDays(-400), '9999-12-31T00:00:00Z'])(
  'a task that is due at %s is refused',
  async (execute_after) => {
    const user = await service.addUser(`later-${execute_after.slice(0, 4)}@acme.example`);
    const task = { app: service.appId, action: 'create_account', user };
    expect(await service.call('POST', '/api/tasks/', { ...task, execute_after })).toMatchObject({
      status: 400,
    });
  },
);

test.each(['Mars/Olympus', '+02:00', ''])('the time zone %j is refused', async (time_zone) => {
  expect(await service.call('PATCH', '/api/organization/', { time_zone })).toMatchObject({ status: 400 });
});
