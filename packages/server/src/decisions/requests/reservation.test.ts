import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
});
afterAll(() => service.close());

const accountOf = (ticket: { app_user: { external_uuid: string } }) => ticket.app_user.external_uuid;
const override = { override: true, comment: 'In a test' };

test('a ticket names the account that its approval creates (D47)', async () => {
  const ada = await addPersonWithKey(service, 'member');
  const { body: ticket } = await service.ask({ user: ada.id }, ada);
  const id = accountOf(ticket);
  expect((await eventsOf(service, 'ticket.created')).at(-1)).toMatchObject({ payload: { account_id: id } });
  expect(await service.call('GET', `/api/accounts/${id}/`)).toMatchObject({ status: 404 });
  expect((await service.call('GET', `/api/accounts/?user=${ada.id}`)).body.count).toBe(0);

  const { body: approved } = await service.act(ticket.external_uuid, 'approve', override);

  expect(accountOf(approved)).toBe(id);
  expect(approved.tasks).toMatchObject([{ action: 'create_account', app_user: { external_uuid: id } }]);
  expect(await service.call('GET', `/api/accounts/${id}/`)).toMatchObject({ body: { status: 'NEW' } });
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  expect(tasks.map((task: { payload: { account: { id: string } } }) => task.payload.account.id)).toContain(
    id,
  );
  await service.work();
  expect(accountOf(await service.ticket(ticket.external_uuid))).toBe(id);
});

test('tickets of one person for one app name the same account', async () => {
  const person = await addPersonWithKey(service, 'member');
  const user = person.id;
  const asked = await Promise.all(Array.from({ length: 5 }, () => service.ask({ user }, person)));
  const [first = '', ...others] = asked.map(({ body }) => accountOf(body));
  expect(new Set(others)).toEqual(new Set([first]));
  const { body: later } = await service.ask({ user }, person);
  expect(accountOf(later)).toBe(first);

  const approved = await Promise.all(
    asked.map(({ body }) => service.act(body.external_uuid, 'approve', override)),
  );

  expect(approved.map(({ status }) => status)).toEqual(asked.map(() => 200));
  expect(new Set(approved.map(({ body }) => accountOf(body)))).toEqual(new Set([first]));
  expect((await service.call('GET', `/api/accounts/?user=${user}`)).body).toMatchObject({
    count: 1,
    results: [{ external_uuid: first }],
  });
  const ids = await sql`select from account where id = ${first}`.execute(service.database.db);
  expect(ids.rows).toHaveLength(1);
});

test('a ticket names the account that came to exist in another way', async () => {
  const bySync = await addPersonWithKey(service, 'member');
  const byTask = await addPersonWithKey(service, 'member');
  const tickets = [
    await service.ask({ user: bySync.id }, bySync),
    await service.ask({ user: byTask.id }, byTask),
  ];
  await service.sync([{ id: 'found', email: bySync.email }]);
  const task = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'create_account',
    user: byTask.id,
  });
  const existing = [(await service.accountByEmail(bySync.email)).external_uuid, accountOf(task.body)];

  for (const [i, { body }] of tickets.entries()) {
    expect(accountOf(body)).not.toBe(existing[i]);
    expect(accountOf(await service.ticket(body.external_uuid))).toBe(existing[i]);
    const { body: approved } = await service.act(body.external_uuid, 'approve', override);
    expect(accountOf(approved)).toBe(existing[i]);
  }
});

test('a ticket of a person with an inactive account names that account, which is used again', async () => {
  const person = await addPersonWithKey(service, 'member');
  const { id: user, email } = person;
  await service.sync([{ id: `old-${user}`, email }]);
  const { external_uuid } = await service.accountByEmail(email);
  await service.sync([]);
  expect(await service.accountByEmail(email)).toMatchObject({ status: 'INACTIVE' });

  const { body: ticket } = await service.ask({ user }, person);
  const { body: approved } = await service.act(ticket.external_uuid, 'approve', override);

  expect(accountOf(ticket)).toBe(external_uuid);
  expect(accountOf(approved)).toBe(external_uuid);
});

test('a decided ticket without an account keeps its id, and the lists show it', async () => {
  const person = await addPersonWithKey(service, 'member');
  const user = person.id;
  const { body: ticket } = await service.ask({ user }, person);

  const { body: denied } = await service.act(ticket.external_uuid, 'deny', override);

  expect(accountOf(denied)).toBe(accountOf(ticket));
  const { body: list } = await service.call('GET', `/api/tickets/?user=${user}`);
  expect(list.results).toMatchObject([{ app_user: ticket.app_user, start_time: ticket.created_at }]);
});
