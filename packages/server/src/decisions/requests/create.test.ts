import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { inDays, openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest([{ id: 'old', email: 'old@acme.example' }]);
});
afterAll(() => service.close());

test('members request for themselves and their reports, and learn nothing about others', async () => {
  const { ada, grace } = service;
  const gone = await addPersonWithKey(service, 'member');
  await service.call('POST', `/api/users/${gone.id}/deactivate/`);
  for (const user of [service.owen.id, gone.id, '0199a000-0000-7000-8000-000000000001'])
    for (const type of ['NEW_ACCESS', 'MODIFY_ACCESS'])
      expect(await service.ask({ user, type, memberships: { team: ['red'] } }, grace)).toMatchObject({
        status: 403,
        body: { detail: 'Members can request access for themselves and for the people who report to them.' },
      });
  expect((await service.ask({ user: ada.id, memberships: { team: ['red'] } }, grace)).status).toBe(201);
});

test('creates a ticket and shows its approvers', async () => {
  const { ada, owen, appId } = service;
  const end_time = inDays(30);
  const { status, body } = await service.ask(
    {
      user: ada.id,
      memberships: { team: ['red', 'blue'] },
      assignments: { seat: ['gold'] },
      end_time,
      initial_comment: 'For the audit',
    },
    ada,
  );
  expect(status).toBe(201);
  expect(body).toMatchObject({
    external_uuid: expect.any(String),
    label: expect.stringMatching(/^REQ-\d+: access to Payroll for ada@acme.example$/),
    type: 'NEW_ACCESS',
    app: { external_uuid: appId, name: 'Payroll', connection: { unique_identifier: `bridge:${appId}` } },
    requester: { external_uuid: ada.id, email: ada.email },
    user: { external_uuid: ada.id, email: ada.email },
    app_user: { external_uuid: expect.any(String), email: ada.email },
    ticket_status: 'PENDING',
    start_time: body.created_at,
    end_time,
    initial_comment: 'For the audit',
    memberships: {
      team: [
        { id: 'blue', name: 'Blue' },
        { id: 'red', name: 'Red' },
      ],
    },
    assignments: { seat: [{ id: 'gold', name: 'Gold' }] },
    steps: [{ approvers: 'app_owner', require: 'any' }],
    current_step: 1,
    waiting_for: [{ external_uuid: owen.id, email: owen.email, via: 'named' }],
    approvals: [],
    tasks: [],
    created_at: expect.stringMatching(/Z$/),
    decided_at: null,
  });
  expect((await service.call('GET', `/api/tickets/${body.external_uuid}/`)).body).toEqual(body);
  expect((await eventsOf(service, 'ticket.created')).at(-1)).toMatchObject({
    actor: { type: 'user', uuid: ada.id },
    subject: { type: 'ticket', uuid: body.external_uuid },
    payload: {
      label: body.label,
      ticket_type: 'NEW_ACCESS',
      requester_id: ada.id,
      comment: 'For the audit',
      end_time,
    },
  });
});

test('numbers simultaneous tickets without gaps or duplicates', async () => {
  const first = Number(/\d+/.exec((await service.ask()).body.label)?.[0]);
  const replies = await Promise.all(Array.from({ length: 8 }, () => service.ask()));
  const refused = await service.ask({ memberships: { team: ['nobody'] } });
  const last = await service.ask();
  const numbers = [...replies, last].map(({ body }) => Number(/\d+/.exec(body.label)?.[0]));
  expect(refused.status).toBe(422);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 9 }, (_, i) => first + 1 + i));
});

const NOBODY = '0197a000-0000-7000-8000-000000000000';
test.each([
  [404, { app: NOBODY }],
  [404, { user: NOBODY }],
  [404, { requester: NOBODY }],
  [400, { app: 'payroll' }],
  [400, { user: undefined }],
  [400, { type: undefined }],
  [400, { type: 'OLD_ACCESS' }],
  [400, { memberships: { team: 'red' } }],
  [400, { start_time: 'soon' }],
  [400, { end_time: inDays(-1) }],
  [400, { start_time: inDays(2), end_time: inDays(1) }],
  [400, { type: 'EXTEND_ACCESS' }],
  [400, { type: 'EXTEND_ACCESS', start_time: inDays(1), end_time: inDays(2) }],
  [422, { memberships: { team: ['green'] } }],
  [422, { memberships: { crew: ['red'] } }],
  [422, { memberships: { seat: ['gold'] } }],
  [422, { assignments: { team: ['red'] } }],
  [409, { type: 'MODIFY_ACCESS', memberships: { team: ['red'] } }],
  [409, { type: 'EXTEND_ACCESS', end_time: inDays(1) }],
])('returns %i for %j', async (status, body) => {
  const reply = await service.ask(body);
  expect(reply).toMatchObject({ status, body: { detail: expect.any(String) } });
});

test('rejects the nil UUID as the id of a ticket', async () => {
  const external_uuid = '00000000-0000-0000-0000-000000000000';
  expect(await service.ask({ external_uuid })).toMatchObject({
    status: 400,
    body: {
      detail: 'Input should not be the nil UUID (external_uuid)',
      errors: [{ path: 'external_uuid', code: 'invalid', message: 'Input should not be the nil UUID' }],
    },
  });
});

test('rejects MODIFY_ACCESS without entitlements and EXTEND_ACCESS of permanent access', async () => {
  const user = await service.addUser('old@acme.example');
  await service.call(
    'PATCH',
    `/api/accounts/${(await service.accountByEmail('old@acme.example')).external_uuid}/`,
    {
      user,
    },
  );
  expect((await service.ask({ user, type: 'MODIFY_ACCESS' })).status).toBe(400);
  expect((await service.ask({ user, type: 'EXTEND_ACCESS', end_time: inDays(1) })).status).toBe(409);
  const modify = await service.ask({ user, type: 'MODIFY_ACCESS', memberships: { team: ['red'] } });
  expect(modify).toMatchObject({ status: 201, body: { app_user: { email: 'old@acme.example' } } });
});

test('rejects deactivated requesters and beneficiaries', async () => {
  const gone = await addPersonWithKey(service, 'member');
  await service.call('POST', `/api/users/${gone.id}/deactivate/`);
  expect((await service.ask({ user: gone.id })).status).toBe(409);
  expect((await service.ask({ requester: gone.id })).status).toBe(409);
});

test('lets only administrators name another requester', async () => {
  const { ada, grace, adminId } = service;
  const filed = await service.ask({ requester: ada.id });
  expect(filed.body).toMatchObject({
    requester: { external_uuid: ada.id },
    created_by: { external_uuid: adminId },
  });
  expect((await service.ask({ requester: ada.id }, grace)).status).toBe(403);
  expect((await service.ask({ requester: grace.id }, grace)).status).toBe(201);
});

test('keeps the approval steps from when the ticket was created', async () => {
  const { body } = await service.ask();
  await service.route([{ approvers: 'manager' }]);
  expect((await service.ticket(body.external_uuid)).steps).toEqual([
    { approvers: 'app_owner', require: 'any' },
  ]);
  await service.route([{ approvers: 'app_owner' }]);
});

test('shows a ticket to the people it concerns and to auditors', async () => {
  const { ada, grace, owen, call } = service;
  const auditor = await addPersonWithKey(service, 'auditor');
  const another = await addPersonWithKey(service, 'member');
  const id = (await service.ask({ user: ada.id }, grace)).body.external_uuid;
  const seen = async (by: { key: string }) =>
    (await call('GET', `/api/tickets/${id}/`, undefined, by)).status;

  expect([await seen(ada), await seen(grace), await seen(owen), await seen(auditor)]).toEqual([
    200, 200, 200, 200,
  ]);
  expect(await seen(another)).toBe(403);
  expect((await service.ask({}, auditor)).status).toBe(403);
  expect((await service.act(id, 'approve', {}, auditor)).status).toBe(403);
  const list = async (by: { key: string }, query = '') =>
    (await call('GET', `/api/tickets/${query}`, undefined, by)).body.results.map(
      ({ external_uuid }: { external_uuid: string }) => external_uuid,
    );
  expect(await list(another)).toEqual([]);
  for (const by of [ada, grace, owen, auditor]) expect(await list(by)).toContain(id);
  expect(await list(owen, '?to_approve=true')).toContain(id);
  expect(await list(grace, '?to_approve=true')).not.toContain(id);
  await service.act(id, 'approve', {}, owen);
  expect(await list(owen, '?to_approve=true')).not.toContain(id);
  expect(await list(owen)).toContain(id);
});

test('lists tickets newest first and filters by app, requester, user, status and type', async () => {
  const { call, appId } = service;
  const ada = await addPersonWithKey(service, 'member');
  for (let n = 0; n < 2; n++) await service.ask();
  const { body } = await service.ask({ user: ada.id, requester: ada.id });
  await service.act(body.external_uuid, 'cancel');
  const list = async (query: string) => (await call('GET', `/api/tickets/?${query}`)).body;
  const hers = await list(
    `app=${appId}&requester=${ada.id}&user=${ada.id}&ticket_status=CANCELED&type=NEW_ACCESS`,
  );
  expect(hers).toMatchObject({ count: 1, results: [{ external_uuid: body.external_uuid }] });
  const all = await list('limit=2');
  expect(all).toMatchObject({ next: expect.stringContaining('offset=2'), previous: null });
  expect(all.results[0].external_uuid).toBe(body.external_uuid);
  for (const query of ['ticket_status=OPEN', 'type=x', 'app=x', 'limit=0', 'to_approve=maybe'])
    expect((await call('GET', `/api/tickets/?${query}`)).status).toBe(400);
});

test('returns 403 for a key of other apps', async () => {
  const { call, appId } = service;
  const otherApp = (await call('POST', '/api/v1/bridge/apps/', { name: 'Other' })).body.id;
  const listed = await addPersonWithKey(service, 'admin', { apps: [otherApp] });
  const id = (await service.ask()).body.external_uuid;
  const addresses = ['', 'approve/', 'deny/', 'cancel/'].map((verb) => `/api/tickets/${id}/${verb}`);

  for (const [i, address] of addresses.entries()) {
    const method = i === 0 ? 'GET' : 'POST';
    expect((await call(method, address, i === 0 ? undefined : { comment: 1 }, listed)).status).toBe(403);
  }
  expect((await service.ask({}, listed)).status).toBe(403);
  expect((await call('GET', '/api/tickets/', undefined, listed)).body.count).toBe(0);
  expect((await call('GET', `/api/tickets/?app=${appId}`, undefined, listed)).status).toBe(403);
  expect((await call('GET', '/api/tickets/nonsense/')).status).toBe(404);
});
