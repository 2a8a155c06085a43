// @module-tag engine

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

/** Which record is an account that a task created (D24). */

let service: ProvisioningTest;
/** The records of the app, without those that a test adds. */
let records: Pushed[];
let runs = 0;
beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());
beforeEach(() => {
  records = [];
});

interface Pushed {
  id: string;
  email?: string;
  username?: string;
  status?: string;
  memberships?: object;
}

const inRed = { memberships: { team: [{ id: 'red' }] } };
const push = async (...added: Pushed[]) => {
  records.push(...added);
  await service.sync(records);
};

interface Created {
  name: string;
  email: string;
  user: string;
  account: string;
  task: string;
}

/** Requests an account for somebody whose username is `sent`, and schedules its deletion. */
async function request(sent: string | null = null): Promise<Created> {
  const name = `bob${++runs}`;
  const email = `${name}@acme.example`;
  const user = await service.addUser(email);
  await sql`
    update platform_user set username = ${(sent ?? name).replace('NAME', name)}
    where id = ${user}`.execute(service.database.db);
  const create = { app: service.appId, action: 'create_account', user, memberships: { team: ['red'] } };
  const { body } = await service.call('POST', '/api/tasks/', create);
  return { name, email, user, account: body.app_user.external_uuid, task: body.external_uuid };
}

const complete = (task: string, result: object | null = null) =>
  service.bridge('PATCH', `/tasks/${task}/status/`, { status: 'completed', result });

/** Creates an account whose id the connector does not report, with access that ends in an hour. */
async function create(sent: string | null = null): Promise<Created & { end: string }> {
  const created = await request(sent);
  await complete(created.task);
  const [end] = await service.create({
    appId: service.appId,
    accountId: created.account,
    action: 'delete_account',
    taskType: 'APPROVAL_WORKFLOW',
    createdBy: null,
    executeAfter: new Date(Date.now() + 3_600_000),
  });
  return { ...created, end: end?.id ?? '' };
}

const accountOf = async (id: string) => (await service.call('GET', `/api/accounts/${id}/`)).body;
const stateOf = async (id: string) => {
  const { external_id, status } = await accountOf(id);
  return [external_id, status];
};
const ambiguous = async () =>
  (await service.call('GET', `/api/accounts/?app=${service.appId}&correlation=ambiguous`)).body.results.map(
    ({ external_uuid }: { external_uuid: string }) => external_uuid,
  );
const correlate = (id: string, external_id: string) =>
  service.call('POST', `/api/accounts/${id}/correlate/`, { external_id });
const statusOf = async (task: string) => (await service.call('GET', `/api/tasks/${task}/`)).body.status;
/** The ids under which the connector gets the pending tasks of the account. */
const listed = async (...tasks: string[]) => {
  const { body } = await service.bridge('GET', '/tasks/?status=pending&limit=1000');
  return body.tasks
    .filter(({ id }: { id: string }) => tasks.includes(id))
    .map(({ payload }: { payload: { account: { id: string } } }) => payload.account.id);
};
/** The accounts of the app that exist, by external id. */
const accountWith = async (externalId: string) => {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from account where app_id = ${service.appId} and external_id = ${externalId}`.execute(
    service.database.db,
  );
  return rows[0];
};

describe('several records have the email', () => {
  test('the one with the username that the task sent takes over, and its access ends as promised', async () => {
    const { name, email, account, end } = await create();
    await push(
      { id: `${name}-1`, email, username: name.toUpperCase(), ...inRed },
      { id: `${name}-2`, email, username: `adm-${name}` },
    );
    expect(await stateOf(account)).toEqual([`${name}-1`, 'ACTIVE']);
    expect(await ambiguous()).not.toContain(account);
    await service.passTime(4000);
    expect(await listed(end)).toEqual([`${name}-1`]);
  });

  test('a tie leaves the account INVITED with its scheduled removal, and asks an administrator', async () => {
    const { name, email, account, end } = await create('');
    await push({ id: `${name}-1`, email, username: `x-${name}`, ...inRed }, { id: `${name}-2`, email });
    await service.sync(records);
    expect(await stateOf(account)).toEqual([null, 'INVITED']);
    expect(await ambiguous()).toContain(account);
    expect((await accountOf(account)).candidates).toMatchObject([
      { external_id: `${name}-1`, email, username: `x-${name}`, status: 'ACTIVE' },
      { external_id: `${name}-2`, email, username: '', status: 'ACTIVE' },
    ]);
    await service.passTime(4000);
    expect(await statusOf(end)).toBe('scheduled');

    const duplicate = await accountWith(`${name}-1`);
    const reply = await correlate(account, `${name}-1`);

    expect(reply).toMatchObject({
      status: 200,
      body: { external_id: `${name}-1`, status: 'ACTIVE' },
    });
    expect((await accountOf(account)).memberships).toMatchObject({ team: [{ id: 'red' }] });
    expect(await stateOf(duplicate?.id ?? '')).toEqual([null, 'INACTIVE']);
    expect(await ambiguous()).not.toContain(account);
    await expect.poll(() => listed(end)).toEqual([`${name}-1`]);
    const event = (await eventsOf(service, 'account_correlation.')).findLast(
      ({ subject }) => subject.uuid === account,
    );
    expect(event).toMatchObject({
      source: { type: 'api' },
      payload: { account_id: account, from: null, to: `${name}-1`, app_name: 'Payroll' },
    });
    await service.sync(records);
    expect(await stateOf(account)).toEqual([`${name}-1`, 'ACTIVE']);
  });

  test('the one that is left when the others are gone takes over', async () => {
    const { name, email, account } = await create('');
    await push({ id: `${name}-1`, email }, { id: `${name}-2`, email });
    records = records.filter(({ id }) => id !== `${name}-1`);
    await service.sync(records);
    expect(await stateOf(account)).toEqual([`${name}-2`, 'ACTIVE']);
  });

  test('a tie is found before the creation is reported, too', async () => {
    const { name, email, account, task } = await request('');
    await push({ id: `${name}-1`, email }, { id: `${name}-2`, email });
    expect(await ambiguous()).toContain(account);
    await complete(task);
    expect(await stateOf(account)).toEqual([null, 'INVITED']);
    expect((await correlate(account, `${name}-2`)).status).toBe(200);
    expect(await stateOf(account)).toEqual([`${name}-2`, 'ACTIVE']);
  });
});

describe('a single record has the email', () => {
  test.each([
    ['no username was sent', '', 'anything'],
    ['the email was sent as username', 'NAME@acme.example', 'anything'],
    ['it has the username', null, 'NAME'],
    ['it has no username', null, ''],
  ])('it takes over immediately if %s', async (_, sent, username) => {
    const { name, email, account } = await create(sent);
    await push({ id: `${name}-1`, email, username: username.replace('NAME', name) });
    expect(await stateOf(account)).toEqual([`${name}-1`, 'ACTIVE']);
  });

  test('with another username, it takes over at the next completed sync', async () => {
    const { name, email, account, end } = await create();
    await push({ id: `${name}-1`, email, username: `adm-${name}`, ...inRed });
    expect(await stateOf(account)).toEqual([null, 'INVITED']);
    expect(await ambiguous()).not.toContain(account);
    const own = await accountWith(`${name}-1`);
    expect(own).toMatchObject({ status: 'ACTIVE' });

    await service.sync(records);

    expect(await stateOf(account)).toEqual([`${name}-1`, 'ACTIVE']);
    expect((await accountOf(account)).memberships).toMatchObject({ team: [{ id: 'red' }] });
    expect(await stateOf(own?.id ?? '')).toEqual([null, 'INACTIVE']);
    await service.passTime(4000);
    expect(await listed(end)).toEqual([`${name}-1`]);
  });

  test('an abandoned sync does not count as the next one', async () => {
    const { name, email, account } = await create();
    await push({ id: `${name}-1`, email, username: `adm-${name}` });
    const { sync_id } = (await service.bridge('POST', '/sync/')).body;
    await service.bridge('PUT', `/sync/${sync_id}/person/`, { records });
    await service.bridge('POST', `/sync/${sync_id}/abandon/`);
    expect(await stateOf(account)).toEqual([null, 'INVITED']);
  });

  test('with another username, it does not take over if the right one comes', async () => {
    const { name, email, account } = await create();
    await push({ id: `${name}-1`, email, username: `adm-${name}` });
    await push({ id: `${name}-2`, email, username: name });
    expect(await stateOf(account)).toEqual([`${name}-2`, 'ACTIVE']);
    expect(await accountWith(`${name}-1`)).toMatchObject({ status: 'ACTIVE' });
    expect(await ambiguous()).not.toContain(account);
  });

  test('with another username, it is one of several if a third comes', async () => {
    const { name, email, account } = await create();
    await push({ id: `${name}-1`, email, username: `adm-${name}` });
    await push({ id: `${name}-2`, email, username: `ops-${name}` });
    expect(await stateOf(account)).toEqual([null, 'INVITED']);
    expect(await ambiguous()).toContain(account);
  });

  test('linked by hand to somebody else, it does not take over', async () => {
    const { name, email, account } = await create();
    await push({ id: `${name}-1`, email, username: `adm-${name}` });
    const own = await accountWith(`${name}-1`);
    await service.call('PATCH', `/api/accounts/${own?.id}/`, { user: service.adminId });
    await service.sync(records);
    expect(await accountWith(`${name}-1`)).toMatchObject({ id: own?.id });
    expect(await stateOf(account)).not.toEqual([`${name}-1`, 'ACTIVE']);
  });
});

test('a record with the username that the task sent, but with the email of another person, is theirs', async () => {
  const { name, user, account } = await create();
  const { body: other } = await service.call('POST', '/api/users/', { email: `other-${name}@acme.example` });
  await push({ id: `${name}-1`, email: `other-${name}@acme.example`, username: name });
  expect(await accountOf((await accountWith(`${name}-1`))?.id ?? '')).toMatchObject({
    user: other.external_uuid,
  });
  expect(await accountOf(account)).toMatchObject({ user, external_id: null });
});

describe('a better record comes later', () => {
  test.each([
    ['the username that the task sent', null, 'NAME'],
    ['the part of the email before the @', '', 'NAME'],
  ])('the account is listed if it has %s', async (_, sent, username) => {
    const { name, email, account, end } = await create(sent);
    await push({ id: `${name}-1`, email, username: `adm-${name}`, ...inRed });
    await service.sync(records);
    expect(await stateOf(account)).toEqual([`${name}-1`, 'ACTIVE']);
    await push({ id: `${name}-2`, email, username: username.replace('NAME', name) });
    expect(await ambiguous()).toContain(account);

    expect(await correlate(account, `${name}-2`)).toMatchObject({ status: 200, body: { memberships: {} } });

    expect(await stateOf(account)).toEqual([`${name}-2`, 'ACTIVE']);
    const released = await accountWith(`${name}-1`);
    expect(await accountOf(released?.id ?? '')).toMatchObject({
      status: 'ACTIVE',
      user: (await accountOf(account)).user,
      memberships: { team: [{ id: 'red' }] },
    });
    expect(await ambiguous()).not.toContain(account);
    await service.passTime(4000);
    expect(await listed(end)).toEqual([`${name}-2`]);
    await service.sync(records);
    expect(await stateOf(account)).toEqual([`${name}-2`, 'ACTIVE']);
    expect(await accountWith(`${name}-1`)).toMatchObject({ id: released?.id, status: 'ACTIVE' });
  });

  test('an administrator can confirm the present one', async () => {
    const { name, email, account } = await create('');
    await push({ id: `${name}-1`, email, username: `adm-${name}` });
    await push({ id: `${name}-2`, email, username: name });
    expect(await ambiguous()).toContain(account);
    expect((await correlate(account, `${name}-1`)).status).toBe(200);
    expect(await ambiguous()).not.toContain(account);
    expect(await stateOf(account)).toEqual([`${name}-1`, 'ACTIVE']);
    expect(await accountWith(`${name}-2`)).toMatchObject({ status: 'ACTIVE' });
  });

  test('another one that fits no better changes nothing', async () => {
    const { name, email, account } = await create('');
    await push({ id: `${name}-1`, email, username: `adm-${name}` });
    await push({ id: `${name}-2`, email, username: `ops-${name}` });
    expect(await ambiguous()).not.toContain(account);
  });
});

describe('a connector reports the id', () => {
  test('the record takes over, although a sync took it for an account of its own', async () => {
    const { name, email, account, task } = await request();
    await push(
      { id: `${name}-1`, email, username: `adm-${name}` },
      { id: `${name}-2`, email, username: `x${name}` },
    );
    const reply = await complete(task, { account: { id: `${name}-2` } });
    expect(reply.body).toMatchObject({ status: 'completed', result: {} });
    expect(await stateOf(account)).toEqual([`${name}-2`, 'ACTIVE']);
    expect(await ambiguous()).not.toContain(account);
  });

  test('it counts more than what a sync recognized', async () => {
    const { name, email, account, task } = await request('');
    await push({ id: `${name}-1`, email, username: `adm-${name}`, ...inRed });
    expect(await stateOf(account)).toEqual([`${name}-1`, 'ACTIVE']);
    await complete(task, { account: { id: `${name}-2` } });
    expect((await accountOf(account)).external_id).toBe(`${name}-2`);
    expect(await accountWith(`${name}-1`)).toMatchObject({ status: 'ACTIVE' });
    await push({ id: `${name}-2`, email, username: name });
    expect(await stateOf(account)).toEqual([`${name}-2`, 'ACTIVE']);
  });

  test('a record with another email that it replaces belongs to nobody, and then to whoever has the email', async () => {
    const { name, email, user, account, task } = await request();
    const other = `other-${name}@acme.example`;
    await push({ id: `${name}-1`, email: other, username: name });
    expect(await stateOf(account)).toEqual([`${name}-1`, 'ACTIVE']);
    await complete(task, { account: { id: `${name}-2` } });
    const released = (await accountWith(`${name}-1`))?.id ?? '';
    expect(await accountOf(released)).toMatchObject({ status: 'ACTIVE', user: null });
    const { body: person } = await service.call('POST', '/api/users/', { email: other });
    expect(await accountOf(released)).toMatchObject({ user: person.external_uuid });
    await push({ id: `${name}-2`, email });
    expect(await accountOf(account)).toMatchObject({ user, external_id: `${name}-2` });
  });

  test('it does not take the account of another person', async () => {
    const other = await service.addUser(`other${runs}@acme.example`);
    const { name, account, task } = await request('');
    await push({ id: `${name}-1`, email: `other${runs - 1}@acme.example`, username: 'other' });
    const own = await accountWith(`${name}-1`);
    expect((await accountOf(own?.id ?? '')).user).toBe(other);
    await complete(task, { account: { id: `${name}-1` } });
    expect(await accountWith(`${name}-1`)).toMatchObject({ id: own?.id });
    expect(await stateOf(account)).toEqual([null, 'INVITED']);
  });
});

test('the tasks of a record that an administrator chooses follow it', async () => {
  const { name, email, account } = await create('');
  await push({ id: `${name}-1`, email }, { id: `${name}-2`, email });
  const duplicate = await accountWith(`${name}-1`);
  const { body } = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'suspend_account',
    account: duplicate?.id,
  });
  await correlate(account, `${name}-1`);
  expect(await listed(body.external_uuid)).toEqual([`${name}-1`]);
  await complete(body.external_uuid);
  expect(await stateOf(account)).toEqual([`${name}-1`, 'SUSPENDED']);
});

describe('POST /api/accounts/<id>/correlate/ refuses', () => {
  test('an unknown record, and one of another person', async () => {
    const { name, email, account } = await create('');
    await push(
      { id: `${name}-1`, email },
      { id: `${name}-2`, email },
      { id: `${name}-3`, email: 'owner@example.com' },
    );
    const stranger = await accountWith(`${name}-3`);
    await service.call('PATCH', `/api/accounts/${stranger?.id}/`, { user: service.adminId });
    expect((await correlate(account, 'nobody')).status).toBe(404);
    expect((await correlate(account, `${name}-3`)).status).toBe(409);
    expect((await correlate(service.appId, `${name}-1`)).status).toBe(404);
    expect(await stateOf(account)).toEqual([null, 'INVITED']);
  });

  test('another record if the record is certain', async () => {
    const { name, email, account } = await create();
    await push(
      { id: `${name}-1`, email, username: name },
      { id: `${name}-2`, email, username: `adm-${name}` },
    );
    expect((await correlate(account, `${name}-2`)).status).toBe(409);
    expect((await correlate(account, `${name}-1`)).status).toBe(200);
  });

  test("an administrator's own account, if there is another administrator", async () => {
    const { name, email, account } = await create('');
    await push({ id: `${name}-1`, email }, { id: `${name}-2`, email });
    await service.call('PATCH', `/api/accounts/${account}/`, { user: service.adminId });
    const other = await service.addUser(`admin${runs}@acme.example`);
    await sql`update platform_user set role = 'admin' where id = ${other}`.execute(service.database.db);
    expect((await correlate(account, `${name}-1`)).status).toBe(403);
    await sql`update platform_user set role = 'member' where id = ${other}`.execute(service.database.db);
  });
});

test('a creation that no sync has confirmed ends with an event for each promise', async () => {
  const { account, end } = await create();
  await service.sync(records);
  expect(await stateOf(account)).toEqual([null, 'INACTIVE']);
  await service.passTime(4000);
  expect(await statusOf(end)).toBe('cancelled');
  const cancelled = (await eventsOf(service, 'task.cancelled')).filter(
    ({ payload }) => payload.task_id === end,
  );
  expect(cancelled).toHaveLength(1);
});
