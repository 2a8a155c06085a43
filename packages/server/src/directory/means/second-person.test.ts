import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentBetween } from '#test/moments.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';

/** An organization in which the first owner is the only owner or administrator, until the last test. */
let service: RequestsTest;
let owner: { id: string; email: string };
beforeAll(async () => {
  service = await openRequestsTest();
  const { body } = await service.call('GET', `/api/users/${service.adminId}/`);
  owner = { id: body.external_uuid, email: body.email };
});
afterAll(() => service.close());

const createAccount = (user: string, by: { key?: string } = {}) =>
  service.call('POST', '/api/tasks/', { app: service.appId, action: 'create_account', user }, by);
const waived = async () => (await eventsOf(service, 'second_person.waived')).at(-1);
const recorded = (act: string) => ({
  actor: { type: 'user' },
  subject: { type: 'platform_user', uuid: owner.id },
  payload: { user_id: owner.id, email: owner.email, act },
});

test('the only administrator can restore their own access', async () => {
  const records = ['old', 'older'].map((id) => ({ id, email: `${id}@acme.example` }));
  const own = { id: 'own', email: owner.email, memberships: { team: [{ id: 'red' }] } };
  await service.sync([...records, own]);
  const as_of = await momentBetween(service.database.db);
  await service.sync([...records, own]);
  await service.sync(records);
  const body = { users: [owner.id], as_of };
  const { plan } = (await service.call('POST', '/api/restore/', body)).body;

  expect(await service.call('POST', '/api/restore/', { ...body, plan, dry_run: false })).toMatchObject({
    status: 200,
    body: { counts: { create_account: 1 } },
  });
  expect(await waived()).toMatchObject(recorded('restore'));
});

test('the only administrator can give themselves access by a task', async () => {
  await service.work();
  const { external_uuid: account } = await service.accountByEmail(owner.email);

  expect(
    await service.call('POST', '/api/tasks/', {
      app: service.appId,
      action: 'update_account',
      account,
      changes: { team: { added: ['blue'] } },
    }),
  ).toMatchObject({ status: 201 });
  expect(await waived()).toMatchObject(recorded('task'));
});

test('an approver whose sign-in the only administrator reset can approve their request', async () => {
  const approver = await addPersonWithKey(service, 'member');
  await service.call('PATCH', `/api/users/${approver.id}/`, { email: `moved-${approver.email}` });
  await service.route([{ approvers: [approver.id] }]);
  const { body: ticket } = await service.ask();

  expect((await service.act(ticket.external_uuid, 'approve', {}, approver)).status).toBe(200);
  expect(await waived()).toMatchObject({ ...recorded('approval'), actor: { uuid: approver.id } });
});

test('a change that gives nobody access of their own records no exception', async () => {
  const before = (await eventsOf(service, 'second_person.waived')).length;
  const somebody = await service.addUser('somebody@acme.example');

  expect((await createAccount(somebody)).status).toBe(201);
  expect(await eventsOf(service, 'second_person.waived')).toHaveLength(before);
});

test('one of two administrators has to ask the other', async () => {
  const admin = await addPersonWithKey(service, 'admin');
  const before = (await eventsOf(service, 'second_person.waived')).length;

  expect((await createAccount(admin.id, admin)).status).toBe(403);
  expect(await eventsOf(service, 'second_person.waived')).toHaveLength(before);
});
