import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addPersonWithKey, addPersonWithRole } from '#test/people.ts';
import { inDays, openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';

let service: RequestsTest;
let dora: Somebody;
let admin: Somebody;
beforeAll(async () => {
  service = await openRequestsTest();
  dora = await addPersonWithKey(service, 'member', { email: 'dora@acme.example' });
  admin = await addPersonWithKey(service, 'admin', { email: 'root@acme.example' });
  await service.call('PATCH', `/api/users/${dora.id}/`, {
    ...{ first_name: 'Dora', last_name: 'Deputy', username: 'secret-name' },
    attributes: { title: 'Deputy' },
  });
});
afterAll(() => service.close());
beforeEach(() => service.route([{ approvers: 'app_owner' }]));

/** A request by Ada that Owen decides. */
const asked = async () => (await service.ask({}, service.ada)).body.external_uuid as string;
const search = (ticket: string, q: string, { key }: { key: string }) =>
  service.call('GET', `/api/tickets/${ticket}/reassign/candidates/?q=${encodeURIComponent(q)}`, undefined, {
    key,
  });
const found = async (ticket: string, q: string, by: { key: string } = service.owen) => {
  const { status, body } = await search(ticket, q, by);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.results.map(({ email }: { email: string }) => email);
};

test('finds people by parts of their name and email, and returns nothing else of them', async () => {
  const ticket = await asked();
  const expected = { external_uuid: dora.id, name: 'Dora Deputy', email: dora.email };

  for (const q of ['dora', 'RA DEP', 'dora@acme', ' deputy '])
    expect((await search(ticket, q, service.owen)).body).toEqual({ results: [expected] });

  for (const q of ['', 'd', ' d ', '%%', '__', 'secret-name', 'member'])
    expect(await found(ticket, q), q).toEqual([]);
});

test('returns at most 10 people', async () => {
  for (let n = 0; n < 12; n++) await service.addUser(`crowd-${n}@acme.example`);
  expect(await found(await asked(), 'crowd')).toHaveLength(10);
});

test('leaves out everybody to whom the step cannot be handed', async () => {
  const { ada, grace, owen } = service;
  await addPersonWithRole(service, 'watcher@acme.example', 'auditor');
  const gone = await service.addUser('gone@acme.example');
  await service.call('POST', `/api/users/${gone}/deactivate/`, {});
  await service.route([{ approvers: [owen.id, grace.id], require: 'all' }]);
  const user = await service.addUser('beneficiary@acme.example');
  await service.reportTo(user, ada.id);
  const ticket = (await service.ask({ user }, ada)).body.external_uuid;

  // She has a seat of her own (D76). An administrator replaces everybody.
  expect(await found(ticket, 'grace')).toEqual([]);
  expect(await found(ticket, 'grace', admin)).toEqual([grace.email]);
  await service.act(ticket, 'approve', {}, grace);

  for (const q of ['watcher', 'gone', 'beneficiary', 'ada@', 'grace', 'owen@'])
    expect(await found(ticket, q), q).toEqual([]);
  expect(await found(ticket, 'owen@', admin)).toEqual([owen.email]);
  const reassigned = await service.call(
    'POST',
    `/api/tickets/${ticket}/reassign/`,
    { to: [(await search(ticket, 'dora', owen)).body.results[0].external_uuid], reason: 'Away' },
    owen,
  );
  expect(reassigned).toMatchObject({ status: 200 });
});

test('is for administrators and those who decide now', async () => {
  const { ada, grace, owen } = service;
  const ticket = await asked();
  const auditor = await addPersonWithKey(service, 'auditor');
  for (const by of [ada, grace, dora, auditor])
    expect(await search(ticket, 'dora', by)).toMatchObject({ status: 403 });
  expect(await found(ticket, 'dora', admin)).toEqual([dora.email]);

  const absence = { deputy: grace.id, starts_at: inDays(-1), ends_at: inDays(1) };
  const { body } = await service.call('POST', `/api/users/${owen.id}/absences/`, absence);
  expect(await found(ticket, 'dora', grace)).toEqual([dora.email]);
  await service.call('DELETE', `/api/users/${owen.id}/absences/${body.external_uuid}/`);

  expect(await service.act(ticket, 'deny', {}, owen)).toMatchObject({ status: 200 });
  expect(await search(ticket, 'dora', owen)).toMatchObject({
    status: 403,
    body: { detail: 'You are not a current approver of this request.' },
  });
});

test('is closed to approvers of their own request and to keys for listed apps', async () => {
  const { owen } = service;
  const own = (await service.ask({ user: owen.id }, owen)).body.external_uuid;
  expect(await search(own, 'dora', owen)).toMatchObject({ status: 403 });
  const listed = await addPersonWithKey(service, 'admin', { apps: [service.appId] });
  expect(await search(await asked(), 'dora', listed)).toMatchObject({ status: 403 });
});
