import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { inDays, openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';
import { setTimes } from '#test/time.ts';
import { closeExpiredTickets } from './close.ts';
import { escalateTickets } from './escalate.ts';
import { approversWaitedFor } from './waiting.ts';

const silent = createLogger('silent');
let service: RequestsTest;
let dora: Somebody;
let finn: Somebody;
let boss: Somebody;
let admin: { key: string; id: string };
beforeAll(async () => {
  service = await openRequestsTest();
  const somebody = (name: string) => addPersonWithKey(service, 'member', { email: `${name}@acme.example` });
  [dora, finn, boss] = [await somebody('dora'), await somebody('finn'), await somebody('boss')];
  admin = await addPersonWithKey(service, 'admin');
  await service.call('PATCH', `/api/users/${service.owen.id}/`, { manager: boss.id });
});
afterAll(() => service.close());
beforeEach(async () => {
  const { db } = service.database;
  await sql`delete from absence where org_id = ${service.orgId}`.execute(db);
  await sql`update app set escalate_after_working_days = null where org_id = ${service.orgId}`.execute(db);
  await service.route([{ approvers: 'app_owner' }]);
});

const away = async (person: { id: string }, deputy: { id: string }) => {
  const body = { deputy: deputy.id, starts_at: inDays(-1), ends_at: inDays(1) };
  const answer = await service.call('POST', `/api/users/${person.id}/absences/`, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
const asked = async (more = {}) => (await service.ask(more, service.ada)).body.external_uuid as string;
/** Ada requests for Dora, who reports to her. */
const askedForDora = async () => {
  await service.reportTo(dora.id, service.ada.id);
  return asked({ user: dora.id });
};
const waitedFor = async (ticket: string) =>
  (await approversWaitedFor(within(service.database.db, service.orgId), ticket)).map(
    ({ userId, onBehalfOf }) => [userId, onBehalfOf],
  );
const pairs = (...expected: [Somebody | { id: string }, Somebody | null][]) =>
  expected.map(([{ id }, absent]) => [id, absent?.id ?? null]).sort();
const say = (ticket: string, verb: string, body: object, by: { key: string }) =>
  service.call('POST', `/api/tickets/${ticket}/${verb}/`, body, by);
const deactivate = (person: { id: string }) =>
  service.call('POST', `/api/users/${person.id}/deactivate/`, {});
const reactivate = (person: { id: string }) =>
  service.call('POST', `/api/users/${person.id}/reactivate/`, {});

describe('while an approver is away', () => {
  test('the deputy decides, sees the request, and the decision says on whose behalf', async () => {
    const { owen } = service;
    const ticket = await asked();
    expect(await service.call('GET', `/api/tickets/${ticket}/`, undefined, dora)).toMatchObject({
      status: 403,
    });
    await away(owen, dora);
    expect(await waitedFor(ticket)).toEqual(pairs([owen, null], [dora, owen]));
    const list = await service.call('GET', '/api/tickets/?to_approve=true', undefined, dora);
    expect(list.body.results).toContainEqual(expect.objectContaining({ external_uuid: ticket }));
    expect((await service.ticket(ticket)).waiting_for).toEqual(
      expect.arrayContaining([
        { ...ref(dora), via: 'named', on_behalf_of: [ref(owen)] },
        { ...ref(owen), via: 'named', on_behalf_of: [] },
      ]),
    );
    expect(await service.act(ticket, 'approve', {}, dora)).toMatchObject({
      status: 200,
      body: {
        ticket_status: 'APPROVED',
        approvals: [{ approver: ref(dora), on_behalf_of: [ref(owen)] }],
      },
    });
    expect(await service.call('GET', `/api/tickets/${ticket}/`, undefined, dora)).toMatchObject({
      status: 200,
    });
  });

  test('the absent approver can still decide', async () => {
    const ticket = await asked();
    await away(service.owen, dora);
    expect(await service.act(ticket, 'approve', {}, service.owen)).toMatchObject({
      body: { ticket_status: 'APPROVED', approvals: [{ on_behalf_of: [] }] },
    });
  });

  test('the deputy of an absent deputy decides', async () => {
    const ticket = await asked();
    await away(service.owen, dora);
    await away(dora, finn);
    expect(await waitedFor(ticket)).toEqual(pairs([service.owen, null], [finn, service.owen]));
  });

  test('a circle of absent deputies passes the request to the next in line', async () => {
    await service.route([{ approvers: 'app_owner' }], [finn.id]);
    const ticket = await asked();
    await away(service.owen, dora);
    await away(dora, service.owen);
    expect(await waitedFor(ticket)).toEqual(pairs([service.owen, null], [finn, null]));
  });

  test.each(['requester', 'beneficiary'])('a deputy who is the %s does not decide', async (role) => {
    await service.route([{ approvers: 'app_owner' }], [finn.id]);
    const ticket =
      role === 'requester' ? (await service.ask({}, dora)).body.external_uuid : await askedForDora();
    await away(service.owen, dora);
    expect(await waitedFor(ticket)).toEqual(pairs([service.owen, null], [finn, null]));
    expect(await service.act(ticket, 'approve', {}, dora)).toMatchObject({ status: 403 });
    expect(await service.act(ticket, 'cancel', {})).toMatchObject({ status: 200 });
  });

  test('a requester who is a deputy cannot choose a deputy to decide', async () => {
    await service.route([{ approvers: 'app_owner' }], [finn.id]);
    const ticket = (await service.ask({}, dora)).body.external_uuid;
    await away(service.owen, dora);
    await away(dora, boss);
    expect(await waitedFor(ticket)).toEqual(pairs([service.owen, null], [finn, null]));
    await service.act(ticket, 'cancel', {});
  });

  test('a deactivated deputy does not decide', async () => {
    await service.route([{ approvers: 'app_owner' }], [finn.id]);
    const ticket = await asked();
    await away(service.owen, dora);
    await deactivate(dora);
    expect(await waitedFor(ticket)).toEqual(pairs([service.owen, null], [finn, null]));
    await reactivate(dora);
  });

  test('a step that requires all accepts a deputy in place of one absent approver', async () => {
    const { owen, grace } = service;
    await service.route([{ approvers: [owen.id, grace.id], require: 'all' }], [finn.id]);
    const ticket = await asked();
    await away(owen, dora);
    await away(grace, dora);
    const [first, second] = [owen, grace].sort((one, other) => (one.id < other.id ? -1 : 1)) as [
      Somebody,
      Somebody,
    ];
    expect(await waitedFor(ticket)).toEqual(pairs([owen, null], [grace, null], [dora, first], [finn, null]));
    expect(await service.act(ticket, 'approve', {}, dora)).toMatchObject({
      body: { ticket_status: 'PENDING', approvals: [{ on_behalf_of: [ref(first)] }] },
    });
    expect(await waitedFor(ticket)).toEqual(pairs([second, null], [finn, null]));
    expect(await service.act(ticket, 'approve', {}, dora)).toMatchObject({ status: 409 });
    expect(await service.act(ticket, 'approve', {}, finn)).toMatchObject({
      body: { ticket_status: 'APPROVED' },
    });
  });

  test('a deputy who has a seat of their own does not fill another, before or after they decide', async () => {
    const { owen, grace } = service;
    await service.route([{ approvers: [owen.id, grace.id], require: 'all' }], [finn.id]);
    const ticket = await asked();
    await away(owen, grace);
    expect(await waitedFor(ticket)).toEqual(pairs([owen, null], [grace, null], [finn, null]));
    expect(await service.act(ticket, 'approve', {}, grace)).toMatchObject({
      body: { ticket_status: 'PENDING', approvals: [{ on_behalf_of: [] }] },
    });
    expect(await service.act(ticket, 'approve', {}, grace)).toMatchObject({ status: 409 });
    expect(await waitedFor(ticket)).toEqual(pairs([owen, null], [finn, null]));
    expect(await service.act(ticket, 'approve', {}, owen)).toMatchObject({
      body: { ticket_status: 'APPROVED' },
    });
  });

  test('an approver who is back after somebody filled a seat is not waited for in vain', async () => {
    const { owen, grace } = service;
    await service.route([{ approvers: [owen.id, grace.id], require: 'all' }], [finn.id]);
    const ticket = await askedForDora();
    const { external_uuid } = await away(owen, dora);
    expect(await service.act(ticket, 'approve', {}, finn)).toMatchObject({
      body: { ticket_status: 'PENDING' },
    });
    await service.call('DELETE', `/api/users/${owen.id}/absences/${external_uuid}/`);
    expect(await waitedFor(ticket)).toEqual(pairs([owen, null], [grace, null]));
    expect(await service.act(ticket, 'approve', {}, grace)).toMatchObject({
      body: { ticket_status: 'APPROVED' },
    });
  });
});

const ref = ({ id, email }: Somebody) => ({ external_uuid: id, email, first_name: '', last_name: '' });

test('names people in a ticket and its comments, by their present names', async () => {
  const { owen } = service;
  const { body: asked } = await service.ask({}, dora);
  const path = `/api/tickets/${asked.external_uuid}`;
  await service.call('POST', `${path}/comments/`, { comment: 'For the audit.' }, dora);
  const named = { first_name: 'Dora', last_name: 'Diaz' };
  await service.call('PATCH', `/api/users/${dora.id}/`, named);
  const ticket = await service.ticket(asked.external_uuid);
  expect(ticket).toMatchObject({
    label: expect.stringMatching(/for new-\d+@acme\.example$/),
    requester: { ...ref(dora), ...named },
    user: { first_name: 'Ann', last_name: 'Other' },
    created_by: { ...ref(dora), ...named },
    waiting_for: [ref(owen)],
  });
  const comments = await service.call('GET', `${path}/comments/`);
  expect(comments.body.results).toMatchObject([{ author: { ...ref(dora), ...named } }]);
  const question = await service.call('POST', `${path}/request-information/`, { comment: 'Which?' }, owen);
  expect(question).toMatchObject({ status: 200, body: { information_requested: { by: ref(owen) } } });
  await service.call('PATCH', `/api/users/${dora.id}/`, { first_name: '', last_name: '' });
});

test('people who commented, or for whom a deputy decided, cannot be deleted', async () => {
  const person = async (name: string) => {
    const { body } = await service.call('POST', '/api/users/', { email: `${name}@acme.example` });
    return { id: body.external_uuid as string };
  };
  const remove = ({ id }: { id: string }) => service.call('DELETE', `/api/users/${id}/`);
  const [absent, nobody] = [await person('absent'), await person('nobody')];
  const author = await addPersonWithKey(service, 'admin');
  await service.route([{ approvers: [absent.id] }]);
  await away(absent, dora);
  const ticket = await asked();
  await say(ticket, 'comments', { comment: 'Which team?' }, author);
  expect(await service.act(ticket, 'approve', {}, dora)).toMatchObject({ status: 200 });
  const { db } = service.database;
  await sql`delete from api_key where org_id = ${service.orgId} and user_id = ${author.id}`.execute(db);

  for (const named of [absent, author])
    expect(await remove(named)).toMatchObject({
      ...{ status: 409, body: { detail: expect.stringContaining('name this person') } },
    });
  expect(await remove(nobody)).toMatchObject({ status: 204 });
});

describe('a request that waits too long', () => {
  const escalated = async (days: number | null, ticket: string, waited: number) => {
    await service.call('PATCH', `/api/apps/${service.appId}/`, { escalate_after_working_days: days });
    await setTimes(service, 'ticket', { created_at: `${waited} days ago` }, { id: ticket });
    await escalateTickets({ db: service.database.db, expiryDays: 365 }, silent);
  };
  const escalations = async (ticket: string) =>
    (await eventsOf(service, 'request.escalated')).filter(({ subject }) => subject.uuid === ticket);

  test("goes to the approver's manager, and then to the fallback approvers", async () => {
    await service.route([{ approvers: 'app_owner' }], [finn.id]);
    const ticket = await asked();
    await escalated(5, ticket, 1);
    expect(await waitedFor(ticket)).toEqual(pairs([service.owen, null]));
    await escalated(5, ticket, 10);
    expect(await waitedFor(ticket)).toEqual(pairs([service.owen, null], [boss, service.owen]));
    expect(await service.call('GET', `/api/tickets/${ticket}/`, undefined, boss)).toMatchObject({
      status: 200,
    });
    await escalated(5, ticket, 17);
    expect(await waitedFor(ticket)).toEqual(pairs([service.owen, null], [boss, service.owen], [finn, null]));
    await escalated(5, ticket, 20);
    expect(await escalations(ticket)).toMatchObject([
      { payload: { from: [service.owen.id], step: 1 } },
      { payload: { to: expect.arrayContaining([finn.id]) } },
    ]);
    expect(await service.act(ticket, 'approve', {}, boss)).toMatchObject({
      body: { approvals: [{ on_behalf_of: [ref(service.owen)] }] },
    });
  });

  test('is escalated once if two nodes look at the same time', async () => {
    const ticket = await asked();
    await service.call('PATCH', `/api/apps/${service.appId}/`, { escalate_after_working_days: 1 });
    await setTimes(service, 'ticket', { created_at: '9 days ago' }, { id: ticket });
    const tools = { db: service.database.db, expiryDays: 365 };
    await Promise.all([escalateTickets(tools, silent), escalateTickets(tools, silent)]);
    expect(await escalations(ticket)).toHaveLength(1);
  });

  test('is escalated even if the escalation of another request fails, which is logged', async () => {
    const { db } = service.database;
    const [broken, ticket] = [await asked(), await asked()];
    await service.call('PATCH', `/api/apps/${service.appId}/`, { escalate_after_working_days: 1 });
    await sql`
      update ticket set created_at = now() - interval '9 days',
        steps = case when id = ${broken} then '[{"approvers": ["nobody"], "require": "any"}]' else steps end
      where org_id = ${service.orgId} and id in (${broken}, ${ticket})`.execute(db);
    const logged: unknown[] = [];
    const logger = { error: ((entry: unknown) => logged.push(entry)) as never };
    await escalateTickets({ db, expiryDays: 365 }, logger);
    await sql`delete from ticket where org_id = ${service.orgId} and id = ${broken}`.execute(db);
    expect(await escalations(ticket)).toHaveLength(1);
    expect(logged).toMatchObject([{ orgId: service.orgId, ticket: broken }]);
  });

  test('is not escalated while an approver waits for information', async () => {
    const ticket = await asked();
    expect(await say(ticket, 'request-information', { comment: 'Why?' }, service.owen)).toMatchObject({
      status: 200,
    });
    await escalated(1, ticket, 9);
    expect(await escalations(ticket)).toEqual([]);
  });

  test('never goes to the beneficiary', async () => {
    const ticket = await asked({ user: boss.id });
    await escalated(1, ticket, 9);
    expect(await waitedFor(ticket)).not.toContainEqual([boss.id, service.owen.id]);
  });

  test('counts working days from Monday to Friday', async () => {
    const { rows } = await sql<{ at: Date }>`
      select after_working_days(moment, days) as at from (values
        ('2026-11-20T10:00Z'::timestamptz, 1), ('2026-11-21T10:00Z', 1), ('2026-11-16T10:00Z', 5),
        ('2026-11-16T10:00Z', 4), ('2026-11-20T10:00Z', 12)) as given (moment, days)`.execute(
      service.database.db,
    );
    expect(rows.map(({ at }) => at.toISOString())).toEqual([
      '2026-11-23T10:00:00.000Z',
      '2026-11-24T00:00:00.000Z',
      '2026-11-23T10:00:00.000Z',
      '2026-11-20T10:00:00.000Z',
      '2026-12-08T10:00:00.000Z',
    ]);
  });
});

describe('reassigning', () => {
  const reassign = (ticket: string, to: { id: string }[], by: { key: string }) =>
    say(ticket, 'reassign', { to: to.map(({ id }) => id), reason: 'On another project' }, by);

  test('hands the step of the current approver to another person', async () => {
    const ticket = await asked();
    expect(await reassign(ticket, [dora], finn)).toMatchObject({ status: 403 });
    expect(await reassign(ticket, [dora], service.owen)).toMatchObject({
      status: 200,
      body: { waiting_for: [{ external_uuid: dora.id }] },
    });
    const events = await eventsOf(service, 'request.reassigned');
    expect(events.at(-1)?.payload).toMatchObject({
      ...{ from: [service.owen.id], to: [dora.id], reason: 'On another project' },
    });
    expect(await service.act(ticket, 'approve', {}, service.owen)).toMatchObject({ status: 403 });
    expect(await service.act(ticket, 'approve', {}, dora)).toMatchObject({ status: 200 });
  });

  test('keeps the other approvers of a step', async () => {
    const { owen, grace } = service;
    await service.route([{ approvers: [owen.id, grace.id], require: 'all' }]);
    const ticket = await asked();
    await reassign(ticket, [dora], owen);
    expect(await waitedFor(ticket)).toEqual(pairs([dora, null], [grace, null]));
    await reassign(ticket, [finn], admin);
    expect(await waitedFor(ticket)).toEqual(pairs([finn, null]));
  });

  test('refuses people who cannot decide', async () => {
    const auditor = await addPersonWithKey(service, 'auditor');
    const gone = await addPersonWithKey(service, 'member');
    await deactivate(gone);
    const ticket = await askedForDora();
    for (const person of [service.ada, dora, auditor, gone])
      expect(await reassign(ticket, [person], admin)).toMatchObject({ status: 409 });
    expect(await reassign(ticket, [{ id: service.appId }], admin)).toMatchObject({ status: 404 });
    expect((await service.ticket(ticket)).waiting_for).toMatchObject([{ external_uuid: service.owen.id }]);
  });

  test('never completes a step: somebody who has not approved it yet decides', async () => {
    const { owen, grace } = service;
    const housekeeping = () => closeExpiredTickets({ db: service.database.db, expiryDays: 365 });
    await service.route([{ approvers: [owen.id, grace.id, finn.id], require: 'all' }]);
    const ticket = await asked();
    await away(owen, dora);
    await service.act(ticket, 'approve', {}, dora);

    for (const decided of [dora, owen])
      for (const to of [[decided], [decided, boss]])
        for (const by of [grace, admin]) {
          const { status, body } = await reassign(ticket, to, by);
          expect([status, body.detail]).toEqual([409, expect.stringContaining('already approved')]);
        }
    await housekeeping();
    expect(await waitedFor(ticket)).toEqual(pairs([grace, null], [finn, null]));

    expect(await reassign(ticket, [grace], finn)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('already requires the approval') },
    });
    expect(await reassign(ticket, [boss], finn)).toMatchObject({ status: 200 });
    await housekeeping();
    expect(await waitedFor(ticket)).toEqual(pairs([boss, null], [grace, null]));
    await service.act(ticket, 'approve', {}, grace);
    expect(await service.act(ticket, 'approve', {}, boss)).toMatchObject({
      body: { ticket_status: 'APPROVED' },
    });
  });

  test('is refused to an administrator who made the request', async () => {
    const ticket = (await service.ask({}, admin)).body.external_uuid;
    expect(await reassign(ticket, [dora], admin)).toMatchObject({ status: 403 });
  });

  test('a request reassigned to a person who is deactivated goes to the next in line', async () => {
    const gone = await addPersonWithKey(service, 'member');
    await service.route([{ approvers: 'app_owner' }], [finn.id]);
    const ticket = await asked();
    await reassign(ticket, [gone], service.owen);
    await deactivate(gone);
    expect(await waitedFor(ticket)).toEqual(pairs([finn, null]));
  });

  test('and approving at the same time leaves one decision by a person who was allowed to make it', async () => {
    const ticket = await asked();
    const [moved, approved] = await Promise.all([
      reassign(ticket, [dora], admin),
      service.act(ticket, 'approve', {}, service.owen),
    ]);
    const { ticket_status } = await service.ticket(ticket);
    if (ticket_status === 'APPROVED') expect([moved.status, approved.status]).toEqual([409, 200]);
    else expect([ticket_status, moved.status, approved.status]).toEqual(['PENDING', 200, 403]);
  });
});

describe('comments', () => {
  const thread = async (ticket: string, by?: { key: string }) =>
    (await service.call('GET', `/api/tickets/${ticket}/comments/`, undefined, by)).body.results;

  test('are a thread between the requester, the approvers and administrators', async () => {
    const ticket = await asked();
    await say(ticket, 'comments', { comment: 'For the audit' }, service.ada);
    await say(ticket, 'comments', { comment: 'Which one?' }, service.owen);
    expect(await thread(ticket, service.ada)).toMatchObject([
      { author: ref(service.ada), kind: 'comment', comment: 'For the audit' },
      { author: ref(service.owen), comment: 'Which one?' },
    ]);
    expect(await say(ticket, 'comments', { comment: 'Hello' }, finn)).toMatchObject({ status: 403 });
    const auditor = await addPersonWithKey(service, 'auditor');
    expect(await say(ticket, 'comments', { comment: 'Hello' }, auditor)).toMatchObject({ status: 403 });
    expect(await thread(ticket, auditor)).toHaveLength(2);
    expect(await say(ticket, 'comments', { comment: '' }, service.ada)).toMatchObject({ status: 400 });
    const events = (await eventsOf(service, 'request.commented')).filter((e) => e.subject.uuid === ticket);
    expect(events).toHaveLength(2);
  });

  test('show a request for information and its answer, and the request stays pending', async () => {
    const ticket = await asked();
    expect(await say(ticket, 'provide-information', { comment: 'Here' }, service.ada)).toMatchObject({
      status: 409,
    });
    expect(await say(ticket, 'request-information', { comment: 'Why?' }, service.ada)).toMatchObject({
      status: 403,
    });
    expect(await say(ticket, 'request-information', { comment: 'Why?' }, service.owen)).toMatchObject({
      status: 200,
      body: {
        ticket_status: 'PENDING',
        information_requested: { by: ref(service.owen), comment: 'Why?' },
      },
    });
    expect(await say(ticket, 'request-information', { comment: 'Why?' }, service.owen)).toMatchObject({
      status: 409,
    });
    const found = await service.call('GET', '/api/tickets/?information_requested=true&limit=200');
    expect(found.body.results).toContainEqual(expect.objectContaining({ external_uuid: ticket }));
    expect(await say(ticket, 'provide-information', { comment: 'So' }, service.owen)).toMatchObject({
      status: 403,
    });
    expect(await say(ticket, 'provide-information', { comment: 'Audit' }, service.ada)).toMatchObject({
      status: 200,
      body: { ticket_status: 'PENDING', information_requested: null },
    });
    expect((await thread(ticket)).map(({ kind }: { kind: string }) => kind)).toEqual([
      'information_requested',
      'information_provided',
    ]);
  });

  test('keep the reason of a withdrawal', async () => {
    const ticket = await asked();
    await service.act(ticket, 'cancel', { comment: 'Not needed' }, service.ada);
    expect(await thread(ticket)).toMatchObject([{ kind: 'withdrawn', comment: 'Not needed' }]);
    const events = await eventsOf(service, 'request.canceled');
    expect(events.at(-1)?.payload).toMatchObject({ reason: 'Withdrawn. Not needed' });
  });
});
