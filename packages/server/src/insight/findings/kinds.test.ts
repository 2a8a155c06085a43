import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { findingsOf } from '#test/findings.ts';
import { openHoldTest } from '#test/holds.ts';
import { addOrganization, addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { signInAs } from '#test/sign-in.ts';
import { checkClock } from './evaluate.ts';
import { KINDS } from './queries/kinds/index.ts';

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const inRed = { memberships: { team: [{ id: 'red' }] } };
const record = (id: string, more: object = {}) => ({ id, email: `${id}@kinds.example`, ...more });

describe('about accounts and reviewers', () => {
  let service: ReviewsTest;
  let findings: ReturnType<typeof findingsOf>;
  let manager: Somebody;
  beforeAll(async () => {
    service = await openReviewsTest([record('first')]);
    findings = findingsOf(service);
    manager = await addPersonWithKey(service, 'member');
  });
  afterAll(() => service.close());

  /** Somebody who reports to the manager. */
  const report = async (name = '') => {
    const more = name === '' ? {} : { email: `${name}@kinds.example` };
    const person = await addPersonWithKey(service, 'member', more);
    await service.call('PATCH', `/api/users/${person.id}/`, { manager: manager.id });
    return person;
  };
  const sync = (accounts: object[], risk = 'high') =>
    service.sync(accounts, { team: [{ id: 'red', name: 'Red', risk }] });
  const idOf = async (name: string) => (await service.accountByEmail(`${name}@kinds.example`)).external_uuid;
  const toManager = (query: string) => findings.list(query, { key: manager.key });

  test('reviewer_cannot_sign_in: until they can, or have nothing to decide', async () => {
    const [rita, dora] = [await report(), await report()];
    await sync([record('first'), record('second')]);
    const start = (reviewer: Somebody) =>
      service.start({ reviewer: [reviewer.id], scope: { include: ['accounts'] } });
    await start(rita);
    const of = (person: Somebody) => `kind=reviewer_cannot_sign_in&subject=${person.id}`;
    await findings.settled(of(rita), ['open']);
    expect(await toManager(of(rita))).toMatchObject([
      {
        ...{ severity: 'medium', subject: { type: 'person' }, href: `/people/${rita.id}` },
        text: { values: { count: 2 }, sentence: expect.stringContaining('2 undecided items') },
      },
    ]);
    await findings.expectNothingMissed();
    await signInAs(service, { external_uuid: rita.id, email: rita.email });
    await findings.settled(of(rita), ['resolved']);

    const cycle = await start(dora);
    await findings.settled(of(dora), ['open']);
    await service.decide(cycle, await service.items(cycle), 'keep', { key: dora.key });
    await findings.settled(of(dora), ['resolved']);
    await findings.expectNothingMissed();
  });

  test('last_member_left: while a group with a high risk has one usable member', async () => {
    const ada = await report('ada');
    const both = [record('ada', inRed), record('bert', inRed)];
    await sync(both);
    await sync([both[0] as object, record('bert')]);
    const account = await idOf('ada');
    const query = `kind=last_member_left&app=${service.appId}`;
    await findings.settled(query, ['open']);
    expect(await toManager(query)).toMatchObject([
      {
        ...{ severity: 'medium', subject: { type: 'group', label: 'Red' } },
        ...{ href: `/apps/${service.appId}?tab=groups`, text: { values: { account: ada.email } } },
      },
    ]);
    await findings.expectNothingMissed();
    await sync(both);
    await findings.settled(query, ['resolved']);
    const task = { app: service.appId, action: 'suspend_account', account };
    const { body } = await service.call('POST', '/api/tasks/', task);
    const reported = `/tasks/${body.external_uuid}/status/`;
    await service.bridge('PATCH', reported, { status: 'completed', result: null });
    await findings.settled(query, ['open']);
    await sync(both, 'low');
    await findings.settled(query, ['resolved']);
    await findings.expectNothingMissed();
  });

  test('dormant_privileged: an account with a high risk that was not used', async () => {
    await report('carl');
    const used = (days: number, risk?: string) =>
      sync([record('carl', { ...inRed, last_sign_in_at: ago(days) })], risk);
    await used(200);
    const id = await idOf('carl');
    const query = `kind=dormant_privileged&subject=${id}`;
    await findings.settled(query, ['open']);
    expect(await toManager(query)).toMatchObject([
      {
        ...{ severity: 'high', subject: { type: 'account' }, href: `/accounts/${id}` },
        text: { values: { count: 1, days: 90 } },
      },
    ]);
    await used(1);
    await findings.settled(query, ['resolved']);
    await used(200, 'low');
    expect(await findings.status(query)).toEqual(['resolved']);
    await used(200);
    await findings.settled(query, ['open']);
    await used(1);
    await findings.settled(query, ['resolved']);
    await findings.expectNothingMissed();

    await sql`
      update account_detail set last_sign_in_at = now() - interval '90 days 1 second' where account_id = ${id}`.execute(
      findings.db,
    );
    await sql`
      update finding_cursor set checked_at = now() - interval '1 minute' where org_id = ${service.orgId}`.execute(
      findings.db,
    );
    await checkClock(findings.db, true);
    expect(await findings.status(query)).toEqual(['open']);
    await findings.expectNothingMissed();
  });

  test('missing_access: while an account lacks what a grant in force gives it', async () => {
    await report('mia');
    const shows = (more: object = {}) => sync([record('mia', more)]);
    await shows();
    const account = await idOf('mia');
    const query = `kind=missing_access&subject=${account}`;
    const order = async () => {
      const task = { app: service.appId, action: 'update_account', account };
      const { status, body } = await service.call('POST', '/api/tasks/', {
        ...task,
        changes: { team: { added: ['red'] } },
      });
      expect(status, JSON.stringify(body)).toBe(201);
      return (outcome: object) =>
        service.bridge('PATCH', `/tasks/${body.external_uuid}/status/`, { result: null, ...outcome });
    };
    const failed = await order();
    await failed({ status: 'failed', error: { code: 'PERMISSION_DENIED', message: 'No.' } });
    await findings.settled(query, ['open']);
    expect(await toManager(query)).toMatchObject([
      {
        ...{ severity: 'medium', subject: { type: 'account' }, href: `/accounts/${account}`, action: null },
        text: { values: { count: 1 }, sentence: expect.stringContaining('1 grant in force') },
      },
    ]);
    await findings.expectNothingMissed();
    const again = await order();
    await findings.settled(query, ['resolved']);
    await again({ status: 'completed' });
    await findings.follow();
    expect(await findings.status(query)).toEqual(['resolved']);
    await shows();
    await findings.settled(query, ['open']);
    await shows(inRed);
    await findings.settled(query, ['resolved']);
    await findings.expectNothingMissed();
  });

  test('privileged_without_mfa: an account of a person with a high risk and no second factor', async () => {
    await report('dina');
    const says = (mfa_enabled: boolean | null, risk?: string) =>
      sync([record('dina', { ...inRed, mfa_enabled })], risk);
    await says(false);
    const id = await idOf('dina');
    const query = `kind=privileged_without_mfa&subject=${id}`;
    await findings.settled(query, ['open']);
    expect(await toManager(query)).toMatchObject([
      {
        ...{ severity: 'high', subject: { type: 'account' }, href: `/accounts/${id}` },
        ...{ text: { values: { count: 1 } }, action: { operation: 'createTask' } },
      },
    ]);
    for (const change of [() => says(true), () => says(null), () => says(false, 'low')]) {
      await change();
      await findings.settled(query, ['resolved']);
      await says(false);
      await findings.settled(query, ['open']);
    }
    const { external_uuid: owner } = (await service.call('GET', '/api/me/')).body;
    await service.call('PATCH', `/api/accounts/${id}/`, { kind: 'service', owner });
    await findings.settled(query, ['resolved']);
    await findings.expectNothingMissed();
  });

  test('group_without_owner: a group with a high risk whose owner is missing or has left', async () => {
    const owner = await report('olga');
    const named = (owner: string | null) =>
      service.sync([record('first')], { team: [{ id: 'blue', name: 'Blue', risk: 'high', owner }] });
    await named(null);
    const query = `kind=group_without_owner&app=${service.appId}`;
    const blue = async () =>
      (await findings.list(query)).filter((one: { text: { values: object } }) =>
        JSON.stringify(one.text.values).includes('Blue'),
      );
    await expect
      .poll(blue, { timeout: 20_000 })
      .toMatchObject([{ severity: 'low', subject: { type: 'group', label: 'Blue' } }]);
    await named(owner.email);
    await expect.poll(blue, { timeout: 20_000 }).toEqual([]);
    await service.call('POST', `/api/users/${owner.id}/deactivate/`);
    await expect.poll(blue, { timeout: 20_000 }).toHaveLength(1);
    const email = 'otto@kinds.example';
    const { external_uuid: next } = (await service.call('POST', '/api/users/', { email })).body;
    await named(email);
    await expect.poll(blue, { timeout: 20_000 }).toEqual([]);
    expect(await service.call('DELETE', `/api/users/${next}/`)).toMatchObject({ status: 204 });
    await expect.poll(blue, { timeout: 20_000 }).toHaveLength(1);
    await findings.expectNothingMissed();
  });

  test('returned_after_revocation: a group that a task took away, and a sync shows again', async () => {
    await report('rosa');
    const holds = (holder: object) => sync([record('rosa', holder)]);
    await holds(inRed);
    const id = await idOf('rosa');
    const remove = async () => {
      const changes = { team: { removed: ['red'] } };
      const task = { app: service.appId, action: 'update_account', account: id, changes };
      const { body } = await service.call('POST', '/api/tasks/', task);
      const reported = `/tasks/${body.external_uuid}/status/`;
      await service.bridge('PATCH', reported, { status: 'completed', result: null });
    };
    await remove();
    await holds({});
    const query = `kind=returned_after_revocation&subject=${id}`;
    expect(await findings.status(query)).toEqual([]);
    await holds(inRed);
    await findings.settled(query, ['open']);
    expect(await toManager(query)).toMatchObject([
      {
        ...{ severity: 'high', subject: { type: 'account' }, action: { operation: 'createTask' } },
        text: { values: { count: 1, changes: { team: { removed: ['red'] } } } },
      },
    ]);
    await findings.expectNothingMissed();
    await remove();
    await findings.settled(query, ['resolved']);
    await findings.expectNothingMissed();
  });

  test('every action names an operation of the API', async () => {
    const { paths } = (await service.app.http.inject('/openapi.json')).json();
    const operations = Object.values<Record<string, { operationId?: string }>>(paths)
      .flatMap((path) => Object.values(path))
      .map(({ operationId }) => operationId);
    const named = Object.values(KINDS).flatMap(({ action }) => action?.operation ?? []);
    expect(operations).toEqual(expect.arrayContaining(named));
  });

  test('own_afterwards: an account that its reviewer kept and got by a sync', async () => {
    const rita = await report();
    await sync([record('mine')]);
    const id = await idOf('mine');
    const cycle = await service.start({ reviewer: [rita.id], scope: { include: ['accounts'] } });
    const items = (await service.items(cycle)).filter(({ account }) => account.external_uuid === id);
    expect(await service.decide(cycle, items, 'keep', { key: rita.key })).toMatchObject({ status: 200 });
    const query = `kind=own_afterwards&subject=${id}`;
    expect(await findings.status(query)).toEqual([]);
    await sync([{ ...record('mine'), email: rita.email }]);
    await findings.settled(query, ['open']);
    expect(await toManager(query)).toMatchObject([
      { severity: 'high', subject: { type: 'account' }, text: { values: { count: 1 } } },
    ]);
    await findings.expectNothingMissed();
    expect(await service.decide(cycle, items, 'keep', { comment: 'Needed' })).toMatchObject({
      status: 200,
    });
    await findings.settled(query, ['resolved']);
    await findings.expectNothingMissed();
  });

  test('none of them belong to another organization', async () => {
    const other = await addOrganization(service);
    for (const status of ['open', 'resolved'])
      expect((await other('GET', `/api/findings/?status=${status}`)).body).toMatchObject({ count: 0 });
  });
});

describe('about requests and tasks', () => {
  let service: RequestsTest;
  let findings: ReturnType<typeof findingsOf>;
  beforeAll(async () => {
    service = await openRequestsTest();
    findings = findingsOf(service);
  });
  afterAll(() => service.close());
  const confirm = () => service.call('POST', `/api/apps/${service.appId}/held-tasks/confirm/`, {});

  test('own_afterwards: a request that one record made and the other approved, until somebody else confirms it', async () => {
    const member = await addPersonWithKey(service, 'member');
    const admin = await addPersonWithKey(service, 'admin');
    const { body: ticket } = await service.ask({ user: member.id }, member);
    const reason = { override: true, comment: 'In a test' };
    expect(await service.act(ticket.external_uuid, 'approve', reason, admin)).toMatchObject({ status: 200 });
    await service.call('POST', `/api/users/${admin.id}/merge/`, { from: member.id });
    await findings.settled('kind=own_afterwards', ['open']);
    await findings.expectNothingMissed();
    expect(await confirm()).toMatchObject({ body: { count: 1 } });
    await findings.settled('kind=own_afterwards', ['resolved']);
    await findings.expectNothingMissed();
  });

  test('own_afterwards: a task by hand, until it is rejected', async () => {
    const admin = await addPersonWithKey(service, 'admin');
    await service.sync([record('hand')]);
    const { external_uuid: account } = await service.accountByEmail('hand@kinds.example');
    const changes = { team: { added: ['red'] } };
    const task = { app: service.appId, action: 'update_account', account, changes };
    expect(await service.call('POST', '/api/tasks/', task, admin)).toMatchObject({ status: 201 });
    await service.sync([{ ...record('hand'), email: admin.email }]);
    const query = `kind=own_afterwards&subject=${account}`;
    await findings.settled(query, ['open']);
    await findings.expectNothingMissed();
    await service.call('POST', `/api/apps/${service.appId}/held-tasks/reject/`, {});
    await findings.settled(query, ['resolved']);
    await findings.expectNothingMissed();
  });

  test('task_without_fulfiller: until somebody can carry it out', async () => {
    const [first, second] = [
      await addPersonWithKey(service, 'member'),
      await addPersonWithKey(service, 'member'),
    ];
    const assign = (people: string[], enabled = true) =>
      service.call('PUT', `/api/apps/${service.appId}/fulfillment/`, {
        ...{ enabled, assignment: 'round_robin', people, groups: [], instructions: {} },
        ...{ due_in_working_days: {}, remind_before_working_days: 1, escalate_after_working_days: 3 },
      });
    await service.call('PATCH', `/api/apps/${service.appId}/`, { owner: null });
    expect(await assign([first.id])).toMatchObject({ status: 200 });
    await service.call('POST', `/api/users/${first.id}/deactivate/`);
    const { body: ticket } = await service.ask();
    await service.act(ticket.external_uuid, 'approve', { override: true, comment: 'In a test' });
    await findings.settled('kind=task_without_fulfiller', ['open']);
    expect(await findings.list('kind=task_without_fulfiller')).toMatchObject([
      { severity: 'high', subject: { type: 'task' }, text: { values: { app: 'Payroll' } } },
    ]);
    await findings.expectNothingMissed();
    expect(await assign([second.id])).toMatchObject({ status: 200 });
    await sql`update fulfillment_assignment set checked_at = '-infinity' where org_id = ${service.orgId}`.execute(
      service.database.db,
    );
    await findings.settled('kind=task_without_fulfiller', ['resolved']);
    await findings.expectNothingMissed();
  });
});

test('held_policy and people_change_held: until an administrator decides', async () => {
  const service = await openHoldTest();
  const findings = findingsOf(service);
  await service.call('PATCH', '/api/policies/settings/', { task_limit: 2 });
  const policy = await service.leavers();
  const ids = await service.addUsers(30);
  await findings.follow();
  for (const id of ids.slice(0, 8)) await service.leave(id);
  await findings.follow();
  const { external_uuid: hold } = await service.onlyHold();
  const ofHold = `kind=people_change_held&subject=${hold}`;
  expect(await findings.list(ofHold)).toMatchObject([
    {
      ...{ severity: 'high', subject: { type: 'hold' }, href: `/holds/${hold}` },
      text: { values: { count: 8, total: 30 } },
    },
  ]);
  expect(await service.decide(hold, 'confirm')).toMatchObject({ status: 200 });
  await service.settled();
  await findings.follow();
  expect(await findings.status(ofHold)).toEqual(['resolved']);

  const ofPolicy = `kind=held_policy&subject=${policy}`;
  expect(await findings.list(ofPolicy)).toMatchObject([
    { severity: 'high', subject: { type: 'policy', label: 'Leavers' }, text: { values: { count: 8 } } },
  ]);
  await findings.expectNothingMissed();
  expect(await service.call('POST', `/api/policies/${policy}/confirm/`)).toMatchObject({ status: 200 });
  await service.settled();
  await findings.follow();
  expect(await findings.status(ofPolicy)).toEqual(['resolved']);
  await findings.expectNothingMissed();
  await service.close();
});
