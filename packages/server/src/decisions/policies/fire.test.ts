import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';

const synced = (id: string, more = {}) => ({ id, email: `${id}@acme.example`, ...more });
const inRed = { memberships: { team: [{ id: 'red' }] } };
const KNOWN = [
  synced('leaver', inRed),
  synced('rehired'),
  synced('returned'),
  synced('swing', { status: 'suspended' }),
  synced('mover', inRed),
  synced('kept'),
  synced('old'),
];

let service: PolicyTest;
beforeAll(async () => {
  service = await openPolicyTest(KNOWN);
  // The tests deactivate most of the people, one after the other.
  await service.call('PATCH', '/api/organization/', { people_guard: null });
});
afterAll(() => service.close());

// A policy of one test must not act on what happens in the next.
afterEach(async () => {
  const { body } = await service.call('GET', '/api/policies/?limit=200');
  for (const { external_uuid: id } of body.results) await service.call('DELETE', `/api/policies/${id}/`);
});

const email = (name: string) => `${name}@acme.example`;
const one = (name: string) => `user.email == "${email(name)}"`;
const verb = async (user: string, action: string) => {
  expect((await service.call('POST', `/api/users/${user}/${action}/`)).status).toBe(200);
};

test('grants an account with the named entitlements once to a matching new person', async () => {
  const id = await service.policy({
    condition: 'user.attributes.department == "Sales"',
    effects: [
      { do: 'grant', app: service.appId, memberships: { team: ['red'] } },
      { do: 'grant', app: service.appId, assignments: { seat: ['gold'] } },
    ],
  });
  await service.person(email('seller'), { attributes: { department: 'Sales' } });
  await service.person(email('buyer'), { attributes: { department: 'Purchase' } });
  await service.settled();
  const [task, ...others] = await service.tasksOf(id);
  expect(others).toEqual([]);
  expect(task).toMatchObject({
    action: 'create_account',
    status: 'pending',
    task_type: 'POLICY',
    creator: { external_uuid: service.adminId },
    app_user: { email: email('seller') },
    changes: { team: { added: [{ id: 'red' }] }, seat: { added: [{ id: 'gold' }] } },
  });
  const { body } = await service.call('GET', `/api/policies/${id}/`);
  expect(body).toMatchObject({ last_fired_count: 1, pending_confirmation: null });
});

test('names the person who enabled the policy as the creator of its tasks', async () => {
  const enabler = await addPersonWithKey(service, 'admin');
  const id = await service.policy({ enabled: false, condition: one('enabled') });
  await service.call('PATCH', `/api/policies/${id}/`, { enabled: true }, { key: enabler.key });
  await service.call('PATCH', `/api/policies/${id}/`, { name: 'Renamed', enabled: true });
  await service.person(email('enabled'));
  await service.settled();

  expect(await service.tasksOf(id)).toMatchObject([{ creator: { external_uuid: enabler.id } }]);
});

test('rejects a condition that reads unknown fields or is not boolean, with its position', async () => {
  const rejected = async (condition: string) => {
    const answer = await service.call('POST', '/api/policies/check/', { condition });
    expect(answer.status).toBe(400);
    return answer.body.detail;
  };
  expect(await rejected('user.departmnt == "x"')).toContain(
    'column 5: the field departmnt of user does not exist',
  );
  expect(await rejected('account.stat == "x"')).toContain('the field stat of account does not exist');
  expect(await rejected('app.nam == "x"')).toContain('the field nam of app does not exist');
  expect(await rejected('user.email')).toContain('the result is not true or false');
  for (const condition of [
    'user.attributes.x == 1',
    '"a" in account.memberships.team',
    'has(user.attributes.x)',
    'today > user.start_date && app.owner != ""',
  ]) {
    expect(await service.call('POST', '/api/policies/check/', { condition })).toMatchObject({ status: 200 });
  }
});

test('ignores events from before a policy was created or enabled', async () => {
  const user = await service.person(email('early'));
  const late = await service.policy({ condition: one('early') });
  const asleep = await service.policy({ enabled: false, condition: one('early'), trigger: 'user.updated' });
  await service.call('PATCH', `/api/users/${user}/`, { last_name: 'Bird' });
  await service.settled();
  await service.call('PATCH', `/api/policies/${asleep}/`, { enabled: true });
  await service.settled();
  expect([...(await service.tasksOf(late)), ...(await service.tasksOf(asleep))]).toEqual([]);
  await service.call('PATCH', `/api/users/${user}/`, { last_name: 'Worm' });
  await service.settled();
  expect(await service.tasksOf(asleep)).toHaveLength(1);
});

test('revokes named and grants missing entitlements when a person moves', async () => {
  const user = await service.person(email('mover'));
  const id = await service.policy({
    trigger: 'user.updated',
    condition: 'user.attributes.team == "blue" && "red" in account.memberships.team',
    effects: [
      { do: 'grant', app: service.appId, memberships: { team: ['blue'] } },
      { do: 'revoke', app: service.appId, memberships: { team: ['red'] } },
    ],
  });
  const move = () =>
    service.call('PATCH', `/api/users/${user}/`, { attributes: { team: 'blue', at: Math.random() } });
  await move();
  await service.settled();
  await move();
  await service.settled();
  const tasks = await service.tasksOf(id);
  expect(tasks.map(({ action, changes }) => ({ action, changes }))).toEqual([
    { action: 'update_account', changes: { team: { added: [{ id: 'blue', name: 'Blue' }], removed: [] } } },
    { action: 'update_account', changes: { team: { added: [], removed: [{ id: 'red', name: 'Red' }] } } },
  ]);
});

test('suspends the account of a leaver immediately and deletes it later', async () => {
  const user = await service.person(email('leaver'));
  const suspends = await service.policy({
    trigger: 'user.deactivated',
    condition: one('leaver'),
    effects: [
      { do: 'suspend', app: 'all' },
      { do: 'revoke', app: 'all' },
    ],
  });
  const deletes = await service.policy({
    trigger: 'user.deactivated',
    condition: one('leaver'),
    effects: [{ do: 'delete', app: 'all' }],
    delay: 'P30D',
  });
  await verb(user, 'deactivate');
  await service.settled();
  expect(await service.tasksOf(suspends)).toMatchObject([
    { action: 'update_account', changes: { team: { removed: [{ id: 'red' }] } } },
    { action: 'suspend_account' },
  ]);
  expect(await service.tasksOf(deletes)).toMatchObject([{ action: 'delete_account', status: 'scheduled' }]);
  await service.passTime(30 * 86_400);
  await expect.poll(async () => (await service.tasksOf(deletes))[0]?.status).toBe('pending');
});

test('keeps the account of a person who returns before the delay ends', async () => {
  const user = await service.person(email('rehired'));
  const id = await service.policy({
    trigger: 'user.deactivated',
    condition: one('rehired'),
    effects: [{ do: 'delete', app: service.appId }],
    delay: 'P30D',
  });
  await verb(user, 'deactivate');
  await service.settled();
  await service.passTime(29 * 86_400);
  await verb(user, 'reactivate');
  await service.settled();
  const [task] = await service.tasksOf(id);
  expect(task).toMatchObject({ action: 'delete_account', status: 'cancelled' });
  expect(task?.explanation?.happened).toContain('active again');
  // Leaving again starts the whole delay again.
  await verb(user, 'deactivate');
  await service.settled();
  await service.passTime(86_400);
  expect(await service.tasksOf(id)).toMatchObject([{ status: 'cancelled' }, { status: 'scheduled' }]);
});

test('keeps the account of a person who returns just before the task is due, before policies run', async () => {
  const user = await service.person(email('returned'), { status: 'deactivated' });
  const id = await service.policy({
    trigger: 'daily',
    condition: one('returned'),
    effects: [{ do: 'delete', app: service.appId }],
    delay: 'PT1H',
  });
  await service.nextDay();
  await service.settled();
  await sql`update platform_user set status = 'active' where id = ${user}`.execute(service.database.db);
  await service.passTime(3600);
  const [task] = await service.tasksOf(id);
  expect(task).toMatchObject({
    status: 'cancelled',
    explanation: { happened: expect.stringContaining('active again') },
  });
});

test('suspends the account of a person who leaves while it is being unsuspended', async () => {
  const user = await service.person(email('swing'));
  const { external_uuid: account } = await service.accountByEmail(email('swing'));
  await service.call('POST', '/api/tasks/', { app: service.appId, action: 'unsuspend_account', account });
  // Otherwise, the task would be canceled when the person leaves (D74).
  await service.bridge('GET', '/tasks/?status=pending');
  const id = await service.policy({
    trigger: 'user.deactivated',
    condition: one('swing'),
    effects: [{ do: 'suspend', app: 'all' }],
  });
  await verb(user, 'deactivate');
  await service.settled();
  expect(await service.tasksOf(id)).toMatchObject([{ action: 'suspend_account', status: 'scheduled' }]);
});

test('does not undo access that people granted, unless the policy revokes it', async () => {
  const user = await service.person(email('kept'));
  const { external_uuid: account } = await service.accountByEmail(email('kept'));
  const granted = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'update_account',
    account,
    changes: { team: { added: ['blue'] } },
  });
  await service.bridge('PATCH', `/tasks/${granted.body.external_uuid}/status/`, { status: 'completed' });
  const policy = (kind: string) =>
    service.policy({
      trigger: 'user.updated',
      condition: one('kept'),
      effects: [{ do: kind, app: service.appId }],
    });
  const [suspends, revokes] = [await policy('suspend'), await policy('revoke')];
  await service.call('PATCH', `/api/users/${user}/`, { last_name: 'Kept' });
  await service.settled();
  expect(await service.tasksOf(suspends)).toEqual([]);
  expect(await service.tasksOf(revokes)).toMatchObject([
    { changes: { team: { removed: [{ id: 'blue' }] } } },
  ]);
  // Grants to people who have left do not count.
  await service.call('PATCH', `/api/policies/${suspends}/`, { trigger: 'user.deactivated' });
  await verb(user, 'deactivate');
  await service.settled();
  expect(await service.tasksOf(suspends)).toMatchObject([{ action: 'suspend_account' }]);
});

test('suspends a discovered orphaned account, which the return of its person does not unsuspend', async () => {
  const id = await service.policy({
    trigger: 'account.discovered',
    condition: 'user == null && app.name == "Payroll"',
    effects: [{ do: 'suspend', app: 'all' }],
  });
  await service.sync([...KNOWN, synced('stranger'), synced('asleep', { status: 'suspended' })]);
  await service.sync([...KNOWN, synced('stranger', { last_name: 'Known' })]);
  await service.settled();
  const tasks = await service.tasksOf(id);
  expect(tasks).toMatchObject([{ action: 'suspend_account', app_user: { email: email('stranger') } }]);

  const comesBack = await service.policy({
    trigger: 'user.reactivated',
    condition: 'account.status == "SUSPENDED"',
    effects: [{ do: 'unsuspend', app: 'all' }],
  });
  await service.bridge('PATCH', `/tasks/${tasks[0]?.external_uuid}/status/`, { status: 'completed' });
  const user = await service.person(email('stranger'), { status: 'deactivated' });
  await service.settled();
  await verb(user, 'reactivate');
  await service.settled();
  // It was not suspended because the person had left (D73).
  expect(await service.tasksOf(comesBack)).toEqual([]);
});

test('never deletes or suspends the account of the connector, and records why once', async () => {
  const policies = await Promise.all(
    [{ do: 'suspend' }, { do: 'delete' }].map((effect) =>
      service.policy({
        trigger: 'daily',
        condition: 'user == null && account.external_id == "connector"',
        effects: [{ ...effect, app: 'all' }],
        ...(effect.do === 'delete' ? { delay: 'P1D' } : {}),
      }),
    ),
  );
  await service.sync([...KNOWN, synced('connector', { is_own: true })]);
  for (let day = 0; day < 3; day++) {
    await service.nextDay();
    await service.settled();
  }
  for (const id of policies) {
    const tasks = await service.tasksOf(id);
    expect(tasks).toMatchObject([{ status: 'cancelled', app_user: { email: email('connector') } }]);
    expect(tasks[0]?.explanation?.happened).toContain('signs in with this account');
  }
});

test('removes the account of a leaver when it is no longer the account of the connector', async () => {
  const id = await service.policy({
    trigger: 'user.deactivated',
    condition: one('operator'),
    effects: [{ do: 'delete', app: 'all' }],
  });
  const user = await service.person(email('operator'));
  await service.sync([...KNOWN, synced('operator', { is_own: true })]);
  await verb(user, 'deactivate');
  await service.settled();
  expect(await service.tasksOf(id)).toMatchObject([{ status: 'cancelled' }]);
  await service.sync([...KNOWN, synced('operator', { is_own: true })]);
  expect(await service.tasksOf(id)).toHaveLength(1);
  await service.sync([...KNOWN, synced('operator')]);
  const tasks = await service.tasksOf(id);
  expect(tasks.filter(({ status }) => status === 'pending')).toMatchObject([{ action: 'delete_account' }]);
});

test('does not trigger on accounts that return: after a bad run, after a lock, and after both', async () => {
  const id = await service.policy({
    trigger: 'account.discovered',
    effects: [{ do: 'suspend', app: 'all' }],
  });
  const away = ['away', 'locked', 'both'].map((name) => synced(name));
  await service.sync([...KNOWN, ...away]);
  await service.settled();
  const suspended = await service.tasksOf(id);
  for (const { external_uuid } of suspended)
    await service.call('POST', `/api/tasks/${external_uuid}/cancel/`);
  await service.sync([...KNOWN, synced('locked', { status: 'inactive' })]);
  await service.sync([...KNOWN, synced('locked'), synced('away'), synced('both', { status: 'suspended' })]);
  await service.sync([...KNOWN, ...away, synced('fresh')]);
  await service.settled();
  const later = (await service.tasksOf(id)).slice(suspended.length);
  expect(later).toMatchObject([{ app_user: { email: email('fresh') } }]);
});

test('does not trigger on the accounts of a first sync', async () => {
  const id = await service.policy({
    trigger: 'account.discovered',
    effects: [{ do: 'suspend', app: 'all' }],
  });
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Fresh' })).body.id;
  const bridge = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1/bridge/apps/${app}${path}`, body);
  await bridge('POST', '/resource-types/', { slug: 'person', name: 'person', type: 'account' });
  const { sync_id } = (await bridge('POST', '/sync/')).body;
  await bridge('PUT', `/sync/${sync_id}/person/`, { records: [synced('first')] });
  await bridge('POST', `/sync/${sync_id}/complete/`);
  await expect
    .poll(async () => (await bridge('GET', `/sync/${sync_id}/`)).body.status, { timeout: 10_000 })
    .toBe('completed');
  await service.settled();
  expect(await service.tasksOf(id)).toEqual([]);
});

test('runs a daily policy once a day over all people and orphaned accounts, from the next day on', async () => {
  await service.person(email('old'), { end_date: '2020-01-31' });
  const ended = await service.policy({
    trigger: 'daily',
    condition: 'user.end_date < today && account.external_id == "old"',
    effects: [{ do: 'delete', app: 'all' }],
  });
  const orphans = await service.policy({
    trigger: 'daily',
    condition: 'user == null && account.external_id == "old"',
    effects: [{ do: 'suspend', app: 'all' }],
  });
  await service.settled();
  expect(await service.tasksOf(ended)).toEqual([]);
  for (let day = 0; day < 2; day++) {
    await service.nextDay();
    await service.settled();
  }
  expect(await service.tasksOf(ended)).toMatchObject([{ action: 'delete_account', status: 'pending' }]);
  expect(await service.tasksOf(orphans)).toEqual([]);
});

test('treats a condition without a value as no match', async () => {
  const broken = await service.policy({ condition: 'user.attributes.grade > 3' });
  const sound = await service.policy({ condition: one('plain') });
  await service.person(email('plain'));
  await service.settled();
  expect(await service.tasksOf(broken)).toEqual([]);
  expect(await service.tasksOf(sound)).toHaveLength(1);
});
