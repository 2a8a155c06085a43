import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
});
afterAll(() => service.close());

const contextOf = (ticket: string, by?: { key: string }) =>
  service.call('GET', `/api/tickets/${ticket}/context/`, undefined, by);

test('returns the beneficiary, their account and how many teammates hold each entitlement', async () => {
  const { ada, grace } = service;
  await service.call('PATCH', `/api/users/${ada.id}/`, {
    attributes: { title: 'Analyst', department: 'Finance' },
  });
  const colleagues = await Promise.all(
    ['one', 'two', 'gone'].map((name) =>
      addPersonWithKey(service, 'member', { email: `${name}@acme.example` }),
    ),
  );
  for (const { id } of [colleagues[0], colleagues[2]].filter((one) => one !== undefined))
    await service.approved({ user: id, memberships: { team: ['red'] } });
  for (const { id } of colleagues) await service.reportTo(id, grace.id);
  await service.approved({ user: ada.id, memberships: { team: ['blue'] } });
  await service.work();
  await service.call('POST', `/api/users/${colleagues[2]?.id}/deactivate/`);
  await service.route([{ approvers: 'manager' }]);
  const asked = await service.ask(
    { user: ada.id, type: 'MODIFY_ACCESS', memberships: { team: ['red'] }, assignments: { seat: ['gold'] } },
    ada,
  );
  const { status, body } = await contextOf(asked.body.external_uuid, grace);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    user: {
      external_uuid: ada.id,
      email: ada.email,
      status: 'active',
      title: 'Analyst',
      department: 'Finance',
      manager: { external_uuid: grace.id, email: grace.email },
      teammates: 2,
    },
    account: { memberships: { team: [{ id: 'blue', name: 'Blue' }] }, assignments: {} },
    asked: [
      { slug: 'seat', id: 'gold', teammates: 0 },
      { slug: 'team', id: 'red', teammates: 1 },
    ],
  });
});

test('returns empty context for a new person without a manager', async () => {
  const { body } = await service.ask();
  expect((await contextOf(body.external_uuid)).body).toMatchObject({
    user: { manager: null, title: null, department: null, teammates: 0 },
    account: null,
    asked: [],
  });
});

test('hides the context from strangers and from requesters who ask for somebody else', async () => {
  const { ada, grace, owen } = service;
  await service.route([{ approvers: 'app_owner' }]);
  const own = (await service.ask({ user: ada.id }, ada)).body.external_uuid;
  const forAnother = (await service.ask({ user: ada.id }, grace)).body.external_uuid;
  const stranger = await addPersonWithKey(service, 'member');
  expect((await contextOf(own, ada)).status).toBe(200);
  expect((await contextOf(own, owen)).status).toBe(200);
  expect((await contextOf(own, stranger)).status).toBe(403);
  expect((await contextOf(forAnother, ada)).status).toBe(200);
  expect((await contextOf(forAnother, grace)).status).toBe(403);
});
