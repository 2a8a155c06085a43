import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '#test/people.ts';
import { inDays, openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
});
afterAll(() => service.close());

const preview = (query = '', by?: { key: string }) =>
  service.call('GET', `/api/apps/${service.appId}/approval/${query}`, undefined, by);
const people = (step: { people: { external_uuid: string }[] }) =>
  step.people.map(({ external_uuid }) => external_uuid);

test('names the people who would decide each step, as the ticket does', async () => {
  const { ada, grace, owen, adminId } = service;
  await service.route([{ approvers: 'manager' }, { approvers: [owen.id, adminId], require: 'all' }]);
  const { steps } = (await preview('', ada)).body;

  expect(steps).toMatchObject([
    { approvers: 'manager', via: 'named' },
    { require: 'all', via: 'named' },
  ]);
  expect(people(steps[0])).toEqual([grace.id]);
  expect(people(steps[1]).sort()).toEqual([owen.id, adminId].sort());

  const { body: ticket } = await service.ask({ user: ada.id }, ada);
  expect(ticket.waiting_for).toMatchObject([{ external_uuid: grace.id, via: 'named' }]);
  await service.act(ticket.external_uuid, 'cancel', {}, ada);
});

test('never names the requester or the beneficiary, and hides which administrators exist', async () => {
  const { ada, grace } = service;
  await service.route([{ approvers: 'manager' }], [ada.id]);
  const { steps } = (await preview(`?user=${ada.id}`, grace)).body;
  expect(steps).toMatchObject([{ via: 'administrators', people: [] }]);

  await service.route([{ approvers: 'manager' }], [service.owen.id]);
  const fallback = (await preview(`?user=${ada.id}`, grace)).body.steps;
  expect(fallback).toMatchObject([{ via: 'fallback', people: [{ external_uuid: service.owen.id }] }]);
});

test('says that two steps would be one person, and whom the second goes to', async () => {
  const { ada, grace, owen } = service;
  const finn = await addPersonWithKey(service, 'member');
  await service.call('PATCH', `/api/apps/${service.appId}/`, { owner: grace.id });
  const steps = async () => (await preview('', ada)).body.steps;
  const who = (id: string, because: string) => ({ user: { external_uuid: id }, because });

  await service.route([{ approvers: 'manager' }, { approvers: 'app_owner' }], [finn.id]);
  expect(await steps()).toMatchObject([
    { via: 'named', people: [{ external_uuid: grace.id }], excluded: [], administrators: false },
    { via: 'fallback', people: [{ external_uuid: finn.id }], excluded: [who(grace.id, 'counts_already')] },
  ]);
  await service.route([{ approvers: [grace.id, owen.id] }, { approvers: 'app_owner' }]);
  expect(await steps()).toMatchObject([{ excluded: [] }, { via: 'named', excluded: [] }]);

  await service.route([{ approvers: [ada.id, owen.id], require: 'all' }, { approvers: [owen.id] }]);
  expect(await steps()).toMatchObject([{ administrators: true }, { via: null, administrators: false }]);
  await addPersonWithKey(service, 'admin');
  expect(await steps()).toMatchObject([
    {
      ...{ via: 'named', people: [{ external_uuid: owen.id }], administrators: true },
      excluded: [who(ada.id, 'concerned')],
    },
    { via: 'administrators', people: [], excluded: [who(owen.id, 'counts_already')] },
  ]);

  const absence = { deputy: grace.id, starts_at: inDays(-1), ends_at: inDays(1) };
  const { body } = await service.call('POST', `/api/users/${owen.id}/absences/`, absence);
  await service.route([{ approvers: [grace.id, owen.id], require: 'all' }], [finn.id]);
  const [step] = await steps();
  expect(people(step).sort()).toEqual([grace.id, owen.id, finn.id].sort());
  expect(step.excluded).toMatchObject([who(grace.id, 'has_another_seat')]);
  await service.call('DELETE', `/api/users/${owen.id}/absences/${body.external_uuid}/`);
  await service.call('PATCH', `/api/apps/${service.appId}/`, { owner: owen.id });
});

test('changes nothing, and refuses what a request would refuse', async () => {
  const { ada, grace, owen } = service;
  const before = (await service.call('GET', '/api/tickets/?limit=1')).body.count;
  expect((await preview(`?user=${ada.id}`, owen)).status).toBe(403);
  expect((await preview(`?requester=${grace.id}`, ada)).status).toBe(403);
  expect((await preview(`?user=${ada.id}&requester=${ada.id}`)).status).toBe(200);
  expect((await service.call('GET', '/api/tickets/?limit=1')).body.count).toBe(before);
});

test('creates one ticket for a request that is sent twice with the same id', async () => {
  const { ada } = service;
  const external_uuid = '0199A000-0000-7000-8000-0000000000AA';
  const body = { external_uuid, user: ada.id, memberships: { team: ['red', 'blue'] } };
  const first = await service.ask(body, ada);
  expect(first).toMatchObject({ status: 201, body: { external_uuid: external_uuid.toLowerCase() } });

  const again = await service.ask({ ...body, memberships: { team: ['blue', 'red'] } }, ada);
  expect(again).toMatchObject({ status: 201, body: { label: first.body.label } });
  const together = await Promise.all([1, 2, 3].map(() => service.ask(body, ada)));
  expect(together.map(({ body: ticket }) => ticket.label)).toEqual(Array(3).fill(first.body.label));

  const other = await service.ask({ ...body, memberships: { team: ['red'] } }, ada);
  expect(other).toMatchObject({ status: 409, body: { detail: expect.stringContaining('external_uuid') } });
  const foreign = await service.ask({ external_uuid, user: service.grace.id }, service.grace);
  expect(foreign.status).toBe(409);
  expect(JSON.stringify(foreign.body)).not.toContain(ada.email);
});

test('accepts times that a retry counted again, and refuses another time, comment or requester', async () => {
  const { ada, grace } = service;
  const external_uuid = '0199a000-0000-7000-8000-0000000000ab';
  const [start_time, end_time] = [inDays(2), inDays(9)];
  const body = {
    ...{ external_uuid, user: ada.id, requester: ada.id, initial_comment: 'Audit' },
    ...{ start_time, end_time },
  };
  const { label } = (await service.ask(body)).body;
  const again = (change: object) => service.ask({ ...body, ...change });
  const later = { start_time: inDays(2.9), end_time: inDays(9.9) };
  expect(await again(later)).toMatchObject({ status: 201, body: { label, end_time } });
  for (const change of [
    { end_time: inDays(10.1) },
    { end_time: null },
    { start_time: inDays(3.1) },
    { start_time: null },
    { initial_comment: 'Another' },
    { requester: grace.id },
    { requester: undefined },
  ])
    expect((await again(change)).status, JSON.stringify(change)).toBe(409);
});

test('does not return a request to an administrator who is now a member', async () => {
  const { ada } = service;
  const former = await addPersonWithKey(service, 'admin');
  const body = { external_uuid: '0199a000-0000-7000-8000-0000000000ac', user: ada.id };
  expect((await service.ask({ ...body, requester: ada.id }, former)).status).toBe(201);
  expect((await service.call('PATCH', `/api/users/${former.id}/`, { role: 'member' })).status).toBe(200);
  expect((await service.ask({ ...body, requester: ada.id }, former)).status).toBe(403);
  expect((await service.ask(body, former)).status).toBe(403);
  await service.reportTo(ada.id, former.id);
  expect((await service.ask(body, former)).status).toBe(409);
  await service.reportTo(ada.id, service.grace.id);
});
