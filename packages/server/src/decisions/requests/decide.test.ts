import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { inDays, openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';
import { signInAs, signInAsOwner } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';
import { closeExpiredTickets } from './close.ts';

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
});
afterAll(() => service.close());
beforeEach(() => service.route([{ approvers: 'app_owner' }]));

const addMember = () => addPersonWithKey(service, 'member');
const asked = async (body = {}, by?: { key: string }): Promise<string> =>
  (await service.ask(body, by)).body.external_uuid;
const waitsFor = async (id: string) =>
  (await service.ticket(id)).waiting_for.map(
    ({ external_uuid }: Somebody & { external_uuid: string }) => external_uuid,
  );

test('creates the account task when the app owner approves', async () => {
  const { owen } = service;
  const ada = await addMember();
  const id = await asked({ user: ada.id, memberships: { team: ['red'] } }, ada);
  await service.news();
  const { status, body } = await service.act(id, 'approve', { comment: 'Fine' }, owen);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    ticket_status: 'APPROVED',
    current_step: null,
    waiting_for: [],
    app_user: { external_uuid: expect.any(String), email: ada.email },
    approvals: [
      {
        step: 1,
        approver: { external_uuid: owen.id },
        decision: 'approved',
        override: false,
        comment: 'Fine',
      },
    ],
    tasks: [
      {
        action: 'create_account',
        status: 'pending',
        task_type: 'APPROVAL_WORKFLOW',
        source: { type: 'ticket', id },
        creator: { external_uuid: owen.id },
        reason: body.label,
      },
    ],
    decided_at: expect.stringMatching(/Z$/),
  });
  expect(await service.news()).toEqual(['ticket.approved', 'task.created']);
  expect((await eventsOf(service, 'ticket.approved')).at(-1)).toMatchObject({
    actor: { uuid: owen.id },
    subject: { type: 'ticket', uuid: id },
    payload: {
      approvers: [owen.id],
      comment: 'Fine',
      override: false,
      account_id: body.app_user.external_uuid,
    },
  });
});

test('rejects the ticket after one denial', async () => {
  const { grace, owen, ada } = service;
  await service.route([{ approvers: 'manager' }, { approvers: 'app_owner' }]);
  const id = await asked({ user: ada.id }, ada);
  await service.news();
  const { body } = await service.act(id, 'deny', { comment: 'Not needed' }, grace);
  expect(body).toMatchObject({ ticket_status: 'REJECTED', tasks: [], approvals: [{ decision: 'denied' }] });
  expect(await service.news()).toEqual(['ticket.denied']);
  expect((await service.act(id, 'approve', {}, owen)).status).toBe(409);
});

test('runs the steps in order', async () => {
  const { grace, owen, ada } = service;
  await service.route([{ approvers: 'manager' }, { approvers: 'app_owner' }]);
  const id = await asked({ user: ada.id }, ada);
  await service.news();

  expect((await service.act(id, 'approve', {}, owen)).status).toBe(403);
  const first = await service.act(id, 'approve', { step: 1 }, grace);
  expect(first.body).toMatchObject({ ticket_status: 'PENDING', current_step: 2, tasks: [] });
  expect(await service.news()).toEqual([]);
  expect((await eventsOf(service, 'request.step_approved')).at(-1)).toMatchObject({
    actor: { uuid: grace.id },
    subject: { type: 'ticket', uuid: id },
    payload: { ticket_id: id, step: 1 },
  });
  expect((await service.act(id, 'approve', {}, grace)).status).toBe(403);
  expect((await service.act(id, 'approve', { step: 1 }, owen)).status).toBe(409);
  const second = await service.act(id, 'approve', { step: 2 }, owen);
  expect(second.body.approvals).toMatchObject([
    { step: 1, approver: { external_uuid: grace.id } },
    { step: 2, approver: { external_uuid: owen.id } },
  ]);
  expect(second.body.ticket_status).toBe('APPROVED');
  expect((await eventsOf(service, 'ticket.approved')).at(-1)?.payload.approvers).toEqual([grace.id, owen.id]);
});

test('waits for every approver of a step that requires all', async () => {
  const [one, two] = [await addMember(), await addMember()];
  await service.route([{ approvers: [one.id, two.id], require: 'all' }]);
  const id = await asked();
  expect((await service.act(id, 'approve', {}, one)).body).toMatchObject({
    ticket_status: 'PENDING',
    steps: [{ approvers: [one.id, two.id], require: 'all' }],
  });
  expect(await waitsFor(id)).toEqual([two.id]);
  expect((await service.act(id, 'approve', {}, one)).status).toBe(409);
  expect((await service.act(id, 'approve', {}, two)).body.ticket_status).toBe('APPROVED');
});

test('asks the next in line when an approver whom a step requires leaves', async () => {
  const [one, two, next] = [await addMember(), await addMember(), await addMember()];
  await service.route([{ approvers: [one.id, two.id], require: 'all' }], [next.id]);
  const id = await asked();
  await service.act(id, 'approve', {}, one);
  await service.call('POST', `/api/users/${two.id}/deactivate/`);
  await closeExpiredTickets({ db: service.database.db, expiryDays: 30 });
  expect(await waitsFor(id)).toEqual([next.id]);
  expect((await service.act(id, 'approve', {}, one)).status).toBe(409);
  const { body } = await service.act(id, 'approve', {}, next);
  expect(body).toMatchObject({ ticket_status: 'APPROVED', approvals: [{}, { on_behalf_of: [] }] });
  expect(body.tasks).toHaveLength(1);
});

test('falls back to the fallback approvers, then to administrators', async () => {
  const { ada, adminId } = service;
  const [fallback, auditor] = [await addMember(), await addPersonWithKey(service, 'auditor')];
  const orphan = await addMember();
  await service.route([{ approvers: 'manager' }], [fallback.id]);
  expect(await waitsFor(await asked({ user: orphan.id }))).toEqual([fallback.id]);
  await service.route([{ approvers: 'manager' }]);
  await service.reportTo(orphan.id, ada.id);
  expect(await waitsFor(await asked({ user: orphan.id }, ada))).toEqual([adminId]);
  await service.route([{ approvers: [auditor.id] }], [fallback.id]);
  expect(await waitsFor(await asked())).toEqual([fallback.id]);
  const left = await addMember();
  await service.route([{ approvers: [left.id] }], [fallback.id]);
  const id = await asked({}, ada);
  expect(await waitsFor(id)).toEqual([left.id]);
  await service.call('POST', `/api/users/${left.id}/deactivate/`);
  expect(await waitsFor(id)).toEqual([fallback.id]);
  await service.call('POST', `/api/users/${fallback.id}/deactivate/`);
  expect(await waitsFor(id)).toEqual([adminId]);
});

test('asks the new manager when the manager changes', async () => {
  const { ada, grace, owen, call } = service;
  await service.route([{ approvers: 'manager' }]);
  const id = await asked({ user: ada.id }, ada);
  expect(await waitsFor(id)).toEqual([grace.id]);
  await call('PATCH', `/api/users/${ada.id}/`, { manager: owen.id });
  expect(await waitsFor(id)).toEqual([owen.id]);
  await call('PATCH', `/api/users/${ada.id}/`, { manager: grace.id });
});

test('excludes the requester and the beneficiary from the approvers', async () => {
  const { ada, grace, owen } = service;
  const fallback = await addMember();
  await service.route([{ approvers: 'app_owner' }], [fallback.id]);
  for (const [user, by] of [
    [owen.id, ada],
    [ada.id, owen],
  ] as const) {
    await service.reportTo(user, by.id);
    const id = await asked({ user }, by);
    await service.reportTo(user, grace.id);
    expect(await waitsFor(id)).toEqual([fallback.id]);
    expect((await service.act(id, 'approve', {}, owen)).status).toBe(403);
    expect((await service.act(id, 'deny', {}, owen)).status).toBe(403);
    expect((await service.act(id, 'approve', {}, fallback)).status).toBe(200);
  }
  await service.route([{ approvers: [ada.id, grace.id], require: 'all' }]);
  const id = await asked({ user: ada.id }, ada);
  expect((await service.act(id, 'approve', {}, grace)).body.ticket_status).toBe('PENDING');
  expect(await waitsFor(id)).toEqual([service.adminId]);
  expect((await service.act(id, 'approve')).body.ticket_status).toBe('APPROVED');
});

test('lets an administrator override with a comment and records it', async () => {
  const { adminId, grace, ada } = service;
  await service.route([{ approvers: [grace.id] }, { approvers: 'app_owner' }]);
  const id = await asked({}, ada);
  expect((await service.act(id, 'approve')).status).toBe(403);
  expect((await service.act(id, 'approve', { override: true })).status).toBe(400);
  expect((await service.act(id, 'approve', { override: true, comment: 'x' }, grace)).status).toBe(403);
  const { body } = await service.act(id, 'approve', { override: true, comment: 'Both are on leave' });
  expect(body).toMatchObject({
    ticket_status: 'APPROVED',
    approvals: [{ approver: { external_uuid: adminId }, override: true, comment: 'Both are on leave' }],
  });
  expect((await eventsOf(service, 'ticket.approved')).at(-1)?.payload).toMatchObject({
    override: true,
    comment: 'Both are on leave',
  });
});

describe('one person has one voice (D76)', () => {
  const override = { override: true, comment: 'Urgent' };

  test('who is the manager and the app owner decides one of both steps', async () => {
    const { ada, grace, owen } = service;
    const fallback = await addMember();
    await service.call('PATCH', `/api/apps/${service.appId}/`, { owner: grace.id });
    await service.route([{ approvers: 'manager' }, { approvers: 'app_owner' }], [fallback.id]);
    const id = await asked({ user: ada.id }, ada);
    expect((await service.act(id, 'approve', {}, grace)).body.ticket_status).toBe('PENDING');
    expect(await waitsFor(id)).toEqual([fallback.id]);
    expect(await service.act(id, 'approve', {}, grace)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('already approved step 1') },
    });
    expect((await service.act(id, 'approve', {}, fallback)).body.ticket_status).toBe('APPROVED');
    await service.call('PATCH', `/api/apps/${service.appId}/`, { owner: owen.id });
  });

  test('neither does a deputy decide two steps, nor is one handed to who approved another', async () => {
    const { ada, grace, owen } = service;
    await service.route([{ approvers: [grace.id] }, { approvers: [owen.id] }]);
    const id = await asked({}, ada);
    const absence = { deputy: grace.id, starts_at: inDays(-1), ends_at: inDays(1) };
    const { body } = await service.call('POST', `/api/users/${owen.id}/absences/`, absence);
    await service.act(id, 'approve', {}, grace);
    expect(await waitsFor(id)).toEqual(expect.arrayContaining([owen.id, service.adminId]));
    expect(await waitsFor(id)).not.toContain(grace.id);
    expect((await service.act(id, 'approve', {}, grace)).status).toBe(403);
    const handOver = { to: [grace.id], reason: 'Knows the app' };
    expect(await service.call('POST', `/api/tickets/${id}/reassign/`, handOver, owen)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('already approved') },
    });
    expect((await service.act(id, 'approve', {}, owen)).body.ticket_status).toBe('APPROVED');
    await service.call('DELETE', `/api/users/${owen.id}/absences/${body.external_uuid}/`);
  });

  test('an absent approver counts once, whoever decides in their place', async () => {
    const { ada, owen } = service;
    const deputy = await addMember();
    await service.route([{ approvers: 'app_owner' }, { approvers: [owen.id] }]);
    const id = await asked({}, ada);
    const absence = { deputy: deputy.id, starts_at: inDays(-1), ends_at: inDays(1) };
    const { body } = await service.call('POST', `/api/users/${owen.id}/absences/`, absence);
    await service.act(id, 'approve', {}, deputy);
    expect(await waitsFor(id)).toContain(service.adminId);
    expect(await waitsFor(id)).not.toContain(owen.id);
    expect((await service.act(id, 'approve', {}, owen)).status).toBe(403);
    await service.call('DELETE', `/api/users/${owen.id}/absences/${body.external_uuid}/`);
  });

  test('an override after an approval needs another administrator, if there is one', async () => {
    const { adminId, owen, ada } = service;
    await service.route([{ approvers: [adminId] }, { approvers: [owen.id] }]);
    const second = await addPersonWithKey(service, 'admin');
    const [denied, refused] = [await asked({}, ada), await asked({}, ada)];
    for (const id of [denied, refused]) await service.act(id, 'approve');
    expect(await service.act(refused, 'approve', override)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('Another administrator') },
    });
    expect((await service.act(denied, 'deny', override)).body.ticket_status).toBe('REJECTED');
    expect((await service.act(refused, 'approve', override, second)).body.ticket_status).toBe('APPROVED');

    const others = (await service.call('GET', '/api/users/?role=admin&limit=200')).body.results;
    for (const { external_uuid } of others)
      await service.call('POST', `/api/users/${external_uuid}/deactivate/`);
    await setTimes(service, 'former_administrator', { until: '31 days ago' });
    const alone = await asked({}, ada);
    await service.act(alone, 'approve');
    expect((await service.act(alone, 'approve', override)).body.ticket_status).toBe('APPROVED');
    expect((await eventsOf(service, 'second_person.waived')).at(-1)).toMatchObject({
      actor: { uuid: adminId },
      payload: { act: 'approval' },
    });
  });
});

describe('a request that someone filed', () => {
  const override = { override: true, comment: 'Urgent' };
  const NOT_OWN = { status: 403, body: { detail: expect.stringContaining('You cannot decide a request') } };

  test('cannot be approved, denied or overridden by the person who filed it for another requester', async () => {
    const { ada } = service;
    const admin = await addPersonWithKey(service, 'admin');
    await service.route([{ approvers: [admin.id] }]);
    const id = await asked({ requester: ada.id, user: ada.id }, admin);

    expect((await service.ticket(id)).waiting_for.map((one: Somebody) => one.email)).not.toContain(
      admin.email,
    );
    for (const verb of ['approve', 'deny'] as const) {
      expect(await service.act(id, verb, {}, admin)).toMatchObject(NOT_OWN);
      expect(await service.act(id, verb, override, admin)).toMatchObject(NOT_OWN);
    }
    expect((await service.act(id, 'approve', override)).status).toBe(200);
  });

  test.each(['requester', 'user'] as const)('cannot be overridden by its %s', async (part) => {
    const { ada, owen } = service;
    const admin = await addPersonWithKey(service, 'admin');
    const people = { requester: ada.id, user: owen.id, [part]: admin.id };
    const id = await asked(people);

    expect(await service.act(id, 'approve', override, admin)).toMatchObject(NOT_OWN);
  });

  test('cannot be overridden by its only administrator, and waits for somebody else', async () => {
    const id = await asked();
    expect(await service.act(id, 'approve', override)).toMatchObject(NOT_OWN);
    const second = await addPersonWithKey(service, 'admin');
    expect((await service.act(id, 'approve', override, second)).status).toBe(200);
    await service.call('POST', `/api/users/${second.id}/deactivate/`);
  });

  test('cannot be decided with an administrator key that now acts for its approver', async () => {
    const { owen, ada } = service;
    const made = (await service.call('POST', '/api/api-keys/', { name: 'Detour', scopes: ['govern'] })).body;
    const owner = await signInAsOwner(service);
    await owner.call('POST', `/api/api-keys/${made.id}/transfer/`, { user: owen.id });
    const id = await asked({ user: ada.id }, ada);

    for (const verb of ['approve', 'deny'] as const)
      expect(await service.act(id, verb, {}, made)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('transferred') },
      });
    expect((await service.act(id, 'approve', {}, owen)).status).toBe(200);
  });

  test('cannot be filed with an administrator key that now acts for somebody else', async () => {
    const { ada } = service;
    const made = (await service.call('POST', '/api/api-keys/', { name: 'Detour', scopes: ['govern'] })).body;
    const owner = await signInAsOwner(service);
    await owner.call('POST', `/api/api-keys/${made.id}/transfer/`, { user: ada.id });
    expect(await service.call('POST', '/api/tickets/', {}, { key: made.key })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('cannot make requests') },
    });
  });
});

describe('an approval that the requester could make in the name of another person is refused', () => {
  const REFUSED = { status: 403, body: { detail: expect.stringContaining('Another approver must decide') } };
  const addAdmin = async () => {
    const admin = await addPersonWithKey(service, 'admin');
    return { ...admin, call: (await signInAs(service, { ...admin, external_uuid: admin.id })).call };
  };
  type Call = Awaited<ReturnType<typeof addAdmin>>['call'];
  const filed = async (call: Call, user: string): Promise<string> => {
    const ticket = { app: service.appId, type: 'NEW_ACCESS', user };
    return (await call('POST', '/api/tickets/', ticket)).body.external_uuid;
  };

  test('by an administrator whom they created', async () => {
    const { id, call } = await addAdmin();
    const made = await call('POST', '/api/users/', { email: 'second-self@acme.example', role: 'admin' });
    expect(made.status).toBe(201);
    const second = await signInAs(service, made.body);
    const ticket = await filed(call, id);

    const body = { override: true, comment: 'Fine' };
    expect(await second.call('POST', `/api/tickets/${ticket}/approve/`, body)).toMatchObject(REFUSED);
  });

  test('by somebody whose email they changed with a key that acts for another administrator', async () => {
    const [{ id, call }, other, approver] = [await addAdmin(), await addAdmin(), await addMember()];
    const made = (await call('POST', '/api/api-keys/', { name: 'Detour', scopes: ['govern'] })).body;
    await call('POST', `/api/api-keys/${made.id}/transfer/`, { user: other.id });
    const email = `moved-${approver.email}`;
    const path = `/api/users/${approver.id}/`;
    expect((await service.call('PATCH', path, { email }, { key: made.key })).status).toBe(200);
    await call('POST', `/api/api-keys/${made.id}/transfer/`, { user: id });
    await service.route([{ approvers: [approver.id] }]);

    expect(await service.act(await filed(call, id), 'approve', {}, approver)).toMatchObject(REFUSED);
  });

  test('by a deputy whom they named', async () => {
    const [{ id, call }, approver, deputy] = [await addAdmin(), await addMember(), await addMember()];
    await service.route([{ approvers: [approver.id] }]);
    const ticket = await filed(call, id);
    const times = { starts_at: inDays(-1), ends_at: inDays(1) };
    const absence = { deputy: deputy.id, ...times };
    expect((await call('POST', `/api/users/${approver.id}/absences/`, absence)).status).toBe(201);

    expect(await service.act(ticket, 'approve', {}, deputy)).toMatchObject(REFUSED);
    expect((await service.act(ticket, 'deny', {}, deputy)).status).toBe(200);
  });
});

test('lets the requester and the beneficiary withdraw a ticket, and nobody else', async () => {
  const { ada, grace, owen } = service;
  const id = await asked({ user: ada.id }, grace);
  expect((await service.act(id, 'cancel', {}, owen)).status).toBe(403);
  const { body } = await service.act(id, 'cancel', { comment: 'Found another way' }, ada);
  expect(body).toMatchObject({
    ticket_status: 'CANCELED',
    outcome: 'Withdrawn. Found another way',
    waiting_for: [],
  });
  expect((await eventsOf(service, 'request.canceled')).at(-1)).toMatchObject({
    actor: { uuid: ada.id },
    subject: { type: 'ticket', uuid: id },
    source: { type: 'api' },
    payload: { reason: 'Withdrawn. Found another way' },
  });
  expect((await service.act(id, 'cancel', {}, grace)).status).toBe(409);
});

test.each(['approve', 'deny', 'cancel'] as const)('returns 409 for %s of a decided ticket', async (verb) => {
  const { owen } = service;
  const id = await asked({}, owen);
  await service.act(id, 'cancel', {}, owen);
  expect(await service.act(id, verb, {}, owen)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('CANCELED') },
  });
});

test('counts one of several simultaneous approvals by the same person', async () => {
  const { ada, owen } = service;
  const id = await asked({}, ada);
  const replies = await Promise.all([1, 2, 3].map(() => service.act(id, 'approve', {}, owen)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await service.ticket(id)).tasks).toHaveLength(1);
});

test('counts one of a simultaneous approval and denial', async () => {
  const { ada, owen, grace } = service;
  await service.route([{ approvers: [owen.id, grace.id] }]);
  const id = await asked({}, ada);
  const replies = await Promise.all([
    service.act(id, 'approve', {}, owen),
    service.act(id, 'deny', {}, grace),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { ticket_status, tasks, approvals } = await service.ticket(id);
  expect(approvals).toHaveLength(1);
  expect(tasks).toHaveLength(ticket_status === 'APPROVED' ? 1 : 0);
});

test('counts simultaneous approvals of a step that requires all', async () => {
  const { ada, owen, grace } = service;
  await service.route([{ approvers: [owen.id, grace.id], require: 'all' }]);
  const id = await asked({}, ada);
  await Promise.all([owen, grace].map((by) => service.act(id, 'approve', {}, by)));
  const { ticket_status, tasks } = await service.ticket(id);
  expect({ ticket_status, tasks: tasks.length }).toEqual({ ticket_status: 'APPROVED', tasks: 1 });
});

test('creates one account for two tickets of a person approved at the same time', async () => {
  const { owen, ada } = service;
  const user = (await addMember()).id;
  await service.reportTo(user, ada.id);
  const ids = [
    await asked({ user, memberships: { team: ['red'] } }, ada),
    await asked({ user, memberships: { team: ['blue'] } }, ada),
  ];
  const replies = await Promise.all(ids.map((id) => service.act(id, 'approve', {}, owen)));
  const actions = replies.flatMap(({ body }) => body.tasks.map(({ action }: { action: string }) => action));
  expect(actions.sort()).toEqual(['create_account', 'update_account']);
  expect(new Set(replies.map(({ body }) => body.app_user.external_uuid)).size).toBe(1);
});

test('expires an undecided ticket after 30 days or when its end has passed', async () => {
  const { owen, ada, database } = service;
  const [old, late, young] = [
    await asked({}, ada),
    await asked({ end_time: inDays(1) }, ada),
    await asked({}, ada),
  ];
  await setTimes(database.db, 'ticket', { created_at: '30 days earlier' }, { id: old });
  await setTimes(database.db, 'ticket', { end_time: 'now' }, { id: late });
  // The decision comes before the scheduled job.
  expect((await service.act(old, 'approve', {}, owen)).status).toBe(409);
  expect(await service.ticket(old)).toMatchObject({
    ticket_status: 'EXPIRED',
    outcome: 'Nobody decided within 30 days.',
    tasks: [],
  });
  await closeExpiredTickets({ db: database.db, expiryDays: 30 });
  expect((await service.ticket(late)).ticket_status).toBe('EXPIRED');
  expect((await eventsOf(service, 'request.expired')).slice(-2)).toMatchObject([
    { actor: { type: 'system' }, subject: { uuid: old }, source: { type: 'schedule' } },
    { actor: { type: 'system' }, subject: { uuid: late }, source: { type: 'schedule' } },
  ]);
  expect((await service.ticket(young)).ticket_status).toBe('PENDING');
  await setTimes(database.db, 'ticket', { created_at: '2 days earlier' }, { id: young });
  await closeExpiredTickets({ db: database.db, expiryDays: 2 });
  expect((await service.ticket(young)).ticket_status).toBe('EXPIRED');
});

test('cancels the pending ticket of a person who is deactivated', async () => {
  const leaver = await addMember();
  const id = await asked({ user: leaver.id }, leaver);
  await service.news();
  await service.call('POST', `/api/users/${leaver.id}/deactivate/`);
  expect(await service.ticket(id)).toMatchObject({
    ticket_status: 'CANCELED',
    outcome: 'The person was deactivated.',
  });
  expect(await service.news()).toEqual(['user.deactivated']);
  expect((await eventsOf(service, 'request.canceled')).at(-1)).toMatchObject({
    actor: { uuid: service.adminId },
    subject: { uuid: id },
    payload: { reason: 'The person was deactivated.' },
  });
  expect((await service.act(id, 'approve', {}, service.owen)).status).toBe(409);
  expect((await service.call('DELETE', `/api/users/${leaver.id}/`)).status).toBe(409);
});

test('either approves or cancels when approval and deactivation happen at the same time', async () => {
  const leaver = await addMember();
  const id = await asked({ user: leaver.id }, leaver);
  const [decided] = await Promise.all([
    service.act(id, 'approve', {}, service.owen),
    service.call('POST', `/api/users/${leaver.id}/deactivate/`),
  ]);
  const { ticket_status, tasks } = await service.ticket(id);
  expect([decided.status, ticket_status, tasks.length]).toEqual(
    decided.status === 200 ? [200, 'APPROVED', 1] : [409, 'CANCELED', 0],
  );
});

test('cancels the pending tickets of an app that is archived', async () => {
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Short-lived' })).body.id;
  const id = await asked({ app });
  await service.call('DELETE', `/api/apps/${app}/`);
  expect(await service.ticket(id)).toMatchObject({
    ticket_status: 'CANCELED',
    outcome: 'The app was archived.',
  });
  expect((await eventsOf(service, 'request.canceled')).at(-1)).toMatchObject({
    actor: { uuid: service.adminId },
    subject: { uuid: id },
    payload: { reason: 'The app was archived.' },
  });
  expect((await service.ask({ app })).status).toBe(404);
});

describe('an approver whose sign-in the requester reset', () => {
  const RESET = {
    status: 403,
    body: {
      detail: expect.stringContaining(
        'reset how you sign in, or changed your email or role, in the last 30 days',
      ),
    },
  };
  const detached = async () => ({
    admin: await addPersonWithKey(service, 'admin'),
    approver: await addMember(),
  });
  const askedBy = async (by: { key: string }, approver: { id: string }) => {
    await service.route([{ approvers: [approver.id] }]);
    return asked({}, by);
  };

  test('cannot approve, and can deny', async () => {
    const { admin, approver } = await detached();
    const { call } = await signInAs(service, { external_uuid: admin.id, email: admin.email });
    expect((await call('POST', `/api/users/${approver.id}/sign-in-link/`)).status).toBe(200);
    const id = await askedBy(admin, approver);

    expect(await service.act(id, 'approve', {}, approver)).toMatchObject(RESET);
    expect((await service.act(id, 'deny', {}, approver)).status).toBe(200);
  });

  test('cannot approve after a change of their email by an API key, nor as an overriding administrator', async () => {
    const { admin, approver } = await detached();
    const email = `moved-${approver.email}`;
    await service.call('PATCH', `/api/users/${approver.id}/`, { email }, { key: admin.key });
    const id = await askedBy(admin, approver);

    expect(await service.act(id, 'approve', {}, approver)).toMatchObject(RESET);
    expect((await service.act(id, 'approve', { override: true, comment: 'x' })).status).toBe(200);
  });

  test('can approve after 30 days', async () => {
    const { admin, approver } = await detached();
    const { call } = await signInAs(service, { external_uuid: admin.id, email: admin.email });
    await call('POST', `/api/users/${approver.id}/sign-in-link/`);
    const id = await askedBy(admin, approver);
    const approveAfter = async (days: number) => {
      await setTimes(service, 'given_means', { given_at: `${days} days ago` }, { receiver_id: approver.id });
      return (await service.act(id, 'approve', {}, approver)).status;
    };

    expect([await approveAfter(29), await approveAfter(31)]).toEqual([403, 200]);
  });

  test('can approve after changes that give nobody their sign-in', async () => {
    const { admin, approver } = await detached();
    await service.call('PATCH', `/api/users/${approver.id}/`, { last_name: 'Ford' }, { key: admin.key });
    const id = await askedBy(admin, approver);

    expect((await service.act(id, 'approve', {}, approver)).status).toBe(200);
  });
});
