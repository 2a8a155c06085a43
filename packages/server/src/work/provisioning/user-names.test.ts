// @module-tag engine
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { untilEnded } from '#test/sync.ts';

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());

const addPerson = async (email: string, more: object = {}) => {
  const { status, body } = await service.call('POST', '/api/users/', { email, ...more });
  expect(status).toBe(201);
  return body.external_uuid as string;
};
/** An app with an account type, and a connector that creates user names of this kind. */
const addApp = async (kind: string | null = null) => {
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: `App ${kind}` })).body.id as string;
  const bridge = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1/bridge/apps/${app}${path}`, body);
  await bridge('POST', '/resource-types/', { slug: 'person', name: 'Person', type: 'account' });
  const sync = async (records: object[]) => {
    const started = await bridge('POST', '/sync/', kind === null ? undefined : { user_names: kind });
    expect(started.status).toBe(201);
    const { sync_id } = started.body;
    expect((await bridge('PUT', `/sync/${sync_id}/person/`, { records })).status).toBe(200);
    await bridge('POST', `/sync/${sync_id}/complete/`);
    const view = async () => (await bridge('GET', `/sync/${sync_id}/`)).body;
    expect((await untilEnded({ view }, sync_id)).status).toBe('completed');
  };
  await sync([]);
  const create = (user: string) =>
    service.call('POST', '/api/tasks/', { app, action: 'create_account', user });
  const nameOf = async (user: string) => {
    const created = await create(user);
    expect(created.status).toBe(201);
    return created.body.username as string;
  };
  const pending = async () => (await bridge('GET', '/tasks/?status=pending')).body.tasks;
  const report = (id: string, body: object) => bridge('PATCH', `/tasks/${id}/status/`, body);
  const fail = async (id: string, result: object | null = null) => {
    const error = { code: 'ACCOUNT_ALREADY_EXISTS', message: 'the account already exists' };
    expect(await report(id, { status: 'failed', result, error })).toMatchObject({ status: 200 });
  };
  return { app, bridge, sync, create, nameOf, pending, report, fail };
};
const taskOf = async (id: string) => (await service.call('GET', `/api/tasks/${id}/`)).body;

test('accounts of an app without naming get the user names of their people, as they are', async () => {
  const { nameOf, pending } = await addApp();
  expect(await nameOf(await addPerson('as.is@x.example'))).toBe('as.is@x.example');
  expect((await pending())[0].payload.account.username).toBe('as.is@x.example');
});

test('a name is the part before the @, and numbered if an account of the app has it or is about to get it', async () => {
  const { nameOf, pending, sync } = await addApp('linux');
  await sync([{ id: '1', username: 'B.LEE' }]);
  expect(await nameOf(await addPerson('a.lee@one.example'))).toBe('a.lee');
  expect(await nameOf(await addPerson('A.Lee@two.example'))).toBe('A.Lee2');
  expect(await nameOf(await addPerson('b.lee@one.example'))).toBe('b.lee2');
  const names = (await pending()).map((task: { payload: { account: object } }) => task.payload.account);
  expect(names).toMatchObject([
    { username: 'a.lee', email: 'a.lee@one.example' },
    { username: 'A.Lee2' },
    { username: 'b.lee2' },
  ]);
});

test('names are compared in NFC', async () => {
  const { app, nameOf, sync } = await addApp();
  await service.call('PATCH', `/api/apps/${app}/`, { user_name: { from: 'user_name' } });
  await sync([{ id: '1', username: 'zoe\u0308' }]);
  expect(await nameOf(await addPerson('zoe@x.example', { username: 'zo\u00eb' }))).toBe('zo\u00eb2');
});

test('names whose lower case depends on the place or on the letters around are one name', async () => {
  const { app, nameOf, sync } = await addApp();
  await service.call('PATCH', `/api/apps/${app}/`, { user_name: { from: 'attribute', attribute: 'nick' } });
  await sync([
    { id: '1', username: 'I\u0307pek' },
    { id: '2', username: 'ΟΔΟΣ' },
    { id: '3', username: 'ǆ' },
  ]);
  for (const [nick, name] of [
    ['\u0130PEK', '\u0130PEK2'],
    ['οδος', 'οδος2'],
    ['ǅ', 'ǅ2'],
  ])
    expect(await nameOf(await addPerson(`${name}@x.example`, { attributes: { nick } }))).toBe(name);
});

test('two tasks that are created at the same moment get two names', async () => {
  const { create } = await addApp('linux');
  const people: string[] = [];
  for (const domain of ['a', 'b', 'c', 'd', 'e', 'f']) people.push(await addPerson(`same@${domain}.example`));
  const created = await Promise.all(people.map(create));
  expect(created.map(({ status }) => status)).toEqual(people.map(() => 201));
  expect(created.map(({ body }) => body.username).toSorted()).toEqual([
    'same',
    'same2',
    'same3',
    'same4',
    'same5',
    'same6',
  ]);
});

test('tasks of one decision get different names', async () => {
  const { app } = await addApp('linux');
  const people = [await addPerson('many@a.example'), await addPerson('many@b.example')];
  const tasks = await service.create(
    ...people.map(
      (userId) =>
        ({ appId: app, action: 'create_account', userId, taskType: 'POLICY', createdBy: null }) as const,
    ),
  );
  expect(tasks.map(({ username }) => username)).toEqual(['many', 'many2']);
});

test('a name is free again after its task was canceled, and stays that of a person who returns', async () => {
  const { create, nameOf } = await addApp('linux');
  const [one, two] = [await addPerson('back@a.example'), await addPerson('back@b.example')];
  const { body } = await create(one);
  await service.call('POST', `/api/tasks/${body.external_uuid}/cancel/`, {});
  expect(await nameOf(two)).toBe('back');
  expect(await nameOf(one)).toBe('back2');
});

describe('an account that already exists', () => {
  test('with the name that was made for a person is not theirs until a task has created it', async () => {
    const { app, create, pending, sync, fail, report } = await addApp('linux');
    const person = await addPerson('made.for@a.example');
    await create(person);
    await sync([{ id: '1', username: 'made.for' }]);
    const held = async () => (await service.call('GET', `/api/accounts/?app=${app}`)).body.results;
    expect(await held()).toContainEqual(
      expect.objectContaining({ external_id: '1', user: null, status: 'ACTIVE' }),
    );

    await fail((await pending())[0].id, { account: { id: '1', email: null } });
    const [second] = await pending();
    expect(second.payload.account.username).toBe('made.for2');
    await report(second.id, { status: 'completed' });
    await sync([
      { id: '1', username: 'made.for' },
      { id: '2', username: 'made.for2' },
    ]);
    await sync([
      { id: '1', username: 'made.for' },
      { id: '2', username: 'made.for2' },
    ]);
    expect(await held()).toHaveLength(2);
    expect(await held()).toContainEqual(expect.objectContaining({ external_id: '1', user: null }));
    expect(await held()).toContainEqual(expect.objectContaining({ external_id: '2', user: person }));
  });

  test('and that a task created is theirs, whether the sync comes before the report or after it', async () => {
    const { app, create, pending, sync, report } = await addApp('linux');
    const person = await addPerson('made.by@a.example');
    await create(person);
    const [task] = await pending();
    await sync([{ id: '1', username: 'made.by' }]);
    await report(task.id, { status: 'completed' });
    await sync([{ id: '1', username: 'made.by' }]);
    const { results } = (await service.call('GET', `/api/accounts/?app=${app}`)).body;
    expect(results.filter(({ status }: { status: string }) => status === 'ACTIVE')).toMatchObject([
      { external_id: '1', user: person },
    ]);
  });

  test('of somebody else: the next name is tried in the same order of attempts', async () => {
    const { nameOf, pending, fail, report, app } = await addApp('linux');
    const person = await addPerson('taken@a.example');
    await nameOf(person);
    const [first] = await pending();

    await fail(first.id);

    const [second] = await pending();
    expect(second.payload.account).toMatchObject({ username: 'taken2', id: first.payload.account.id });
    expect(await taskOf(first.id)).toMatchObject({
      status: 'failed',
      username: 'taken',
      error: { code: 'ACCOUNT_ALREADY_EXISTS', message: 'the account already exists' },
      explanation: { happened: expect.stringContaining('already has an account for taken, and no sync') },
    });
    expect(await taskOf(second.id)).toMatchObject({ retry_of: first.id, attempt: 2, username: 'taken2' });
    await report(second.id, { status: 'completed', result: { account: { id: 'u2' } } });
    const { results } = (await service.call('GET', `/api/accounts/?app=${app}`)).body;
    expect(results).toMatchObject([{ external_id: 'u2', username: 'taken2', status: 'INVITED' }]);
  });

  test('is tried five times with another name, then explained without advice to grant to it', async () => {
    const { nameOf, pending, fail, sync } = await addApp('linux');
    await sync([{ id: '7', username: 'five6', email: 'other@x.example' }]);
    const other = await addPerson('other@x.example');
    await service.app.tick();
    expect(other).toBeTruthy();
    await nameOf(await addPerson('five@a.example'));
    const names: string[] = [];
    let last = '';
    for (let [task] = await pending(); task !== undefined; [task] = await pending()) {
      names.push(task.payload.account.username);
      last = task.id;
      await fail(last, { account: { id: '7', email: 'other@x.example' } });
    }
    expect(names).toEqual(['five', 'five2', 'five3', 'five4', 'five5', 'five7']);
    const { explanation } = await taskOf(last);
    expect(explanation.happened).toContain('it belongs to other@x.example');
    expect(JSON.stringify(explanation)).not.toMatch(/grant/i);

    // An administrator who retries it gets the name after the last one.
    const retried = await service.call('POST', `/api/tasks/${last}/retry/`, {});
    expect(retried.body.username).toBe('five8');
  });

  test('of the person themselves is not avoided', async () => {
    const { nameOf, pending, fail } = await addApp('linux');
    await nameOf(await addPerson('own@a.example'));
    const [task] = await pending();
    await fail(task.id, { account: { id: '9', email: 'OWN@a.example' } });
    expect(await pending()).toEqual([]);
    expect((await taskOf(task.id)).explanation).toMatchObject({
      happened: expect.stringContaining('already has an account of this person'),
      advice: expect.stringContaining('link the account'),
    });
  });

  test('in an app without naming is a conflict that names whose it is', async () => {
    const { nameOf, pending, fail, sync } = await addApp();
    await addPerson('holder@x.example');
    await sync([{ id: '1', username: 'held@x.example', email: 'holder@x.example' }]);
    await nameOf(await addPerson('held@x.example'));
    const [task] = await pending();
    await fail(task.id);
    expect(await pending()).toEqual([]);
    expect((await taskOf(task.id)).explanation.happened).toContain('it belongs to holder@x.example');
  });
});

describe('the rule of an app', () => {
  test('is stored, shown and recorded, and is part of the version', async () => {
    const { app, nameOf } = await addApp('linux');
    const rule = { from: 'template', attribute: null, template: 'user.first_name + number' };
    const before = await service.call('GET', `/api/apps/${app}/`);
    expect(before.body).toMatchObject({ user_name: null, user_name_kind: 'linux' });

    const changed = await service.call('PATCH', `/api/apps/${app}/`, {
      user_name: { from: 'template', template: rule.template },
    });
    expect(changed.body.user_name).toEqual(rule);
    expect(await nameOf(await addPerson('t@x.example', { first_name: 'Tess' }))).toBe('Tess');
    const events = await service.call('GET', '/api/events/?event_type=app_settings.changed&limit=1');
    expect(events.body.results[0].payload.changes).toEqual([{ field: 'user_name', from: null, to: rule }]);

    const refused = await service.call('PATCH', `/api/apps/${app}/`, {
      user_name: { from: 'template', template: 'user.nope' },
    });
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining('nope') } });
    const reset = await service.call('PATCH', `/api/apps/${app}/`, { user_name: null });
    expect(reset.body.user_name).toBeNull();
  });

  test('shows in the plan of a policy and to approvers which name an account would get', async () => {
    const { app, sync } = await addApp('linux');
    const [person, approver] = [
      await addPerson('plan@x.example', { attributes: { team: 'plan' } }),
      service.adminId,
    ];
    await sync([{ id: '1', username: 'Plan' }]);
    const policy = await service.call('POST', '/api/policies/', {
      name: 'Plan',
      trigger: 'user.created',
      condition: 'user.attributes.team == "plan"',
      effects: [{ do: 'grant', app }],
    });
    expect(policy.status).toBe(201);
    const planned = await service.call('POST', `/api/policies/${policy.body.external_uuid}/preview/`);
    expect(planned.body.tasks).toMatchObject([{ action: 'create_account', username: 'plan2' }]);

    await service.call('PATCH', `/api/apps/${app}/`, {
      approval_steps: [{ approvers: [approver], require: 'any' }],
    });
    const ticket = await service.call('POST', '/api/tickets/', {
      type: 'NEW_ACCESS',
      app,
      user: person,
    });
    expect(ticket.status).toBe(201);
    const context = await service.call('GET', `/api/tickets/${ticket.body.external_uuid}/context/`);
    expect(context.body).toMatchObject({ account: null, username: 'plan2' });
  });

  test('is previewed over people without an account first, with whoever has the name', async () => {
    const { app, sync } = await addApp('linux');
    const holder = await addPerson('0a.preview@x.example');
    await addPerson('0a.preview@y.example');
    await sync([{ id: '1', username: '0a.preview', email: '0a.preview@x.example' }]);
    const preview = async (body: object) =>
      (await service.call('POST', `/api/apps/${app}/user-name/preview/`, body)).body.results;

    const [first] = await preview({ limit: 1 });
    expect(first).toMatchObject({
      user: { email: '0a.preview@y.example' },
      name: '0a.preview2',
      taken_by: { user: { external_uuid: holder, email: '0a.preview@x.example' } },
      fits: true,
    });
    const [tried] = await preview({ limit: 1, user_name: { from: 'user_name' } });
    expect(tried).toMatchObject({ name: '0a.preview@y.example', taken_by: null, fits: false });
    const all = await preview({ limit: 100 });
    expect(all.at(-1)).toMatchObject({ user: { external_uuid: holder }, name: '0a.preview', taken_by: null });
  });
});
