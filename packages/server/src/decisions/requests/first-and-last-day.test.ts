import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';

/** Requests of people who have not started, have left, or are on leave (D85). */
const ZONE = 'Pacific/Kiritimati';
let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
  await service.call('PATCH', '/api/organization/', { time_zone: ZONE });
});
afterAll(() => service.close());

const day = (offset: number) => Temporal.Now.plainDateISO(ZONE).add({ days: offset }).toString();
const midnight = (text: string) =>
  new Date(Temporal.PlainDate.from(text).toZonedDateTime(ZONE).epochMilliseconds).toISOString();
const newPerson = async (fields: object) => {
  const { id, key, email } = await addPersonWithKey(service, 'member');
  await service.call('PATCH', `/api/users/${id}/`, fields);
  return { id, key, email };
};
const leave = (id: string) =>
  service.call('POST', `/api/users/${id}/absences/`, {
    kind: 'leave',
    starts_at: new Date(Date.now() - 60_000).toISOString(),
  });

test('nobody requests access for somebody whose last day has passed', async () => {
  const { id } = await newPerson({ end_date: day(-1) });
  const { status, body } = await service.ask({ user: id });
  expect({ status, body }).toMatchObject({ status: 409, body: { code: 'beneficiary_ended' } });
  const onLast = await newPerson({ end_date: day(0) });
  expect((await service.ask({ user: onLast.id })).status).toBe(201);
});

test('access of somebody who has not started begins on the first day, or when it was requested if that is later', async () => {
  await service.route([{ approvers: [service.owen.id] }]);
  const tasksOf = async (request: object) => {
    const { id } = await newPerson({ start_date: day(20) });
    const { status, body } = await service.ask({ user: id, ...request });
    expect(status).toBe(201);
    const decided = await service.call(
      'POST',
      `/api/tickets/${body.external_uuid}/approve/`,
      {},
      service.owen,
    );
    expect(decided.status).toBe(200);
    const { results } = (await service.call('GET', '/api/tasks/?limit=200')).body;
    return results.filter((task: { source: { id: string } }) => task.source?.id === body.external_uuid);
  };
  const [task] = await tasksOf({});
  expect(task).toMatchObject({ status: 'scheduled', execute_after: midnight(day(20)) });
  const [later] = await tasksOf({ start_time: day(30) });
  expect(later).toMatchObject({ status: 'scheduled', execute_after: midnight(day(30)) });
});

test('refuses access that ends before the first day', async () => {
  const { id } = await newPerson({ start_date: day(20) });
  const { status, body } = await service.ask({ user: id, end_time: day(19) });
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'end_before_first_day' } });
  expect(body.detail).toContain('end_time');
});

test('while an approver is on leave without a deputy, the next in line decides', async () => {
  const [approver, fallback] = [await newPerson({}), await newPerson({})];
  await service.route([{ approvers: [approver.id] }], [fallback.id]);
  const { body } = await service.ask();
  const decide = (by: { key: string }) =>
    service.call('POST', `/api/tickets/${body.external_uuid}/approve/`, {}, by);
  expect((await decide(fallback)).status).toBe(403);
  expect((await leave(approver.id)).status).toBe(201);
  expect((await decide(fallback)).status).toBe(200);
});
