import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { values } from '#kit/sql.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';
import { until } from '#test/until.ts';

/** Tasks that became one's own wait for somebody else, until a connector has fetched them (D76). */

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
});
afterAll(() => service.close());

let people = 0;
/** Somebody with two records: one asks, and the other is an administrator. */
async function twice() {
  const name = `twice-${++people}`;
  const member = await addPersonWithKey(service, 'member', { email: `${name}@acme.example` });
  const admin = await addPersonWithKey(service, 'admin', { email: `adm.${name}@acme.example` });
  return { member, admin };
}
const approve = async (ticket: { external_uuid: string }, by: Somebody) => {
  const decided = await service.act(
    ticket.external_uuid,
    'approve',
    { override: true, comment: 'In a test' },
    by,
  );
  expect(decided).toMatchObject({ status: 200, body: { ticket_status: 'APPROVED' } });
};
const merge = async (from: Somebody, into: Somebody) =>
  (await service.call('POST', `/api/users/${into.id}/merge/`, { from: from.id })).body;
const taskOf = async (ticket: { external_uuid: string }) =>
  (await service.call('GET', `/api/tasks/?source=${ticket.external_uuid}`)).body.results[0];
const fetched = async () =>
  (await service.bridge('GET', '/tasks/?status=pending&limit=1000')).body.tasks.map(
    ({ id }: { id: string }) => id,
  );
const confirm = (by?: Somebody) =>
  service.call('POST', `/api/apps/${service.appId}/held-tasks/confirm/`, {}, by);
const notices = () =>
  values<string>(within(service.database.db, service.orgId))`
    select distinct body from notification where org_id = ${service.orgId} and kind = 'budget_held'`;
interface Both {
  own: string;
  other: string;
}
const WAITS = { status: 'scheduled', waits_for: 'confirmation' };

test('the task of a request that one record asked for and the other approved waits after their merge', async () => {
  const { member, admin } = await twice();
  const { body: ticket } = await service.ask({ user: member.id }, member);
  await approve(ticket, admin);
  expect(await taskOf(ticket)).toMatchObject({ status: 'pending', waits_for: null });

  expect(await merge(member, admin)).toMatchObject({ moved: { held_tasks: 1 } });

  const task = await taskOf(ticket);
  expect(task).toMatchObject({
    ...WAITS,
    explanation: { code: 'task_waits_for_second_person' },
  });
  expect(await service.ticket(ticket.external_uuid)).toMatchObject({ own_afterwards: true });
  expect(await fetched()).not.toContain(task.external_uuid);
  await until('a notice', notices, (bodies) => bodies.length > 0);
  expect(await notices()).toEqual([
    'They give access that somebody behind the decision has or asked for. Open the app to confirm or reject them.',
  ]);
  expect(await confirm(admin)).toMatchObject({ status: 403 });
  expect(await confirm()).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await fetched()).toContain(task.external_uuid);
});

test('so does one for somebody else, for whom the record had asked', async () => {
  const { member, admin } = await twice();
  const user = await service.addUser(`report-${people}@acme.example`);
  await service.reportTo(user, member.id);
  const { body: ticket } = await service.ask({ user }, member);
  await approve(ticket, admin);

  expect(await merge(admin, member)).toMatchObject({ moved: { held_tasks: 1 } });
  expect(await taskOf(ticket)).toMatchObject(WAITS);
  expect(await confirm()).toMatchObject({ body: { count: 1 } });
});

test('a task that a connector has fetched goes on, and its request is marked', async () => {
  const { member, admin } = await twice();
  const { body: ticket } = await service.ask({ user: member.id }, member);
  await approve(ticket, admin);
  const { external_uuid } = await taskOf(ticket);
  expect(await fetched()).toContain(external_uuid);

  expect(await merge(admin, member)).toMatchObject({ moved: { held_tasks: 0 } });
  expect(await taskOf(ticket)).toMatchObject({ status: 'pending' });
  expect(await service.ticket(ticket.external_uuid)).toMatchObject({ own_afterwards: true });
});

test('tasks wait after a link that nobody made, and nobody confirms their own', async () => {
  const admins = [
    await addPersonWithKey(service, 'admin'),
    await addPersonWithKey(service, 'admin'),
  ] as const;
  const records = admins.map((_, i) => ({ id: `record-${i}`, email: `record-${i}@else.example` }));
  await service.sync(records);
  const tasks: Both[] = [];
  for (const [i, { key }] of admins.entries()) {
    const { external_uuid: account } = await service.accountByEmail(`record-${i}@else.example`);
    const body = { app: service.appId, action: 'update_account', account };
    const add = async (group: string, by: { key?: string }) =>
      (await service.call('POST', '/api/tasks/', { ...body, changes: { team: { added: [group] } } }, by)).body
        .external_uuid;
    tasks.push({ own: await add('red', { key }), other: await add('blue', {}) });
  }
  const [first, second] = tasks as [Both, Both];
  const stateOf = async (id: string) => {
    const { status, waits_for } = (await service.call('GET', `/api/tasks/${id}/`)).body;
    return { status, waits_for };
  };

  await service.sync(records.map((record, i) => ({ ...record, email: admins[i]?.email })));
  await service.app.tick();

  expect([await stateOf(first.own), await stateOf(second.own)]).toEqual([WAITS, WAITS]);
  expect([await stateOf(first.other), await stateOf(second.other)]).toMatchObject([
    { status: 'pending' },
    { status: 'pending' },
  ]);
  const holds = await service.call('GET', '/api/holds/?status=open');
  expect(holds.body.results).toMatchObject([{ kind: 'app', tasks: 2 }]);
  expect(await confirm(admins[0])).toMatchObject({ status: 200, body: { count: 1 } });
  expect([await stateOf(first.own), (await stateOf(second.own)).waits_for]).toEqual([WAITS, 'account']);
  expect(await confirm(admins[0])).toMatchObject({ status: 403 });
  expect(await confirm(admins[1])).toMatchObject({ status: 200, body: { count: 1 } });
});
