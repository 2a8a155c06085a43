import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

let service: ProvisioningTest;
let account: string;
beforeAll(async () => {
  service = await openProvisioningTest([{ id: 'ann', email: 'ann@x.example' }]);
  account = (await service.accountByEmail('ann@x.example')).external_uuid;
});
afterAll(() => service.close());

const create = (body: object) => service.call('POST', '/api/tasks/', body);
const report = (id: string, body: unknown) => service.bridge('PATCH', `/tasks/${id}/status/`, body);

test('accepts ids in upper case in a body (D3)', async () => {
  const user = await service.addUser('upper@x.example');
  const app = service.appId.toUpperCase();

  const created = await create({ app, action: 'create_account', user: user.toUpperCase() });
  const suspended = await create({
    app,
    action: 'suspend_account',
    account: account.toUpperCase(),
    reason: null,
  });

  expect(created).toMatchObject({ status: 201, body: { app: { external_uuid: service.appId } } });
  expect(suspended).toMatchObject({ status: 201, body: { app_user: { external_uuid: account } } });
  expect((await service.call('GET', `/api/tasks/?user=${user.toUpperCase()}`)).body.count).toBe(1);
  await service.call('POST', `/api/tasks/${suspended.body.external_uuid}/cancel/`, { reason: null });
});

test('a completed reset_password is POST_SYNC immediately', async () => {
  const { body } = await create({ app: service.appId, action: 'reset_password', account });
  expect(body.op_type).toBe('PRE_SYNC');

  await report(body.external_uuid, { status: 'completed' });

  const path = `/api/tasks/${body.external_uuid}/`;
  expect((await service.call('GET', path)).body.op_type).toBe('POST_SYNC');
});

test('a malformed report on a task that has ended is 409 (D29)', async () => {
  const { body } = await create({ app: service.appId, action: 'reset_password', account });
  const malformed = [{}, '{', { status: 'done' }, { status: 'failed' }, { status: 'completed', error: 'x' }];
  for (const one of malformed) expect(await report(body.external_uuid, one)).toMatchObject({ status: 400 });

  await report(body.external_uuid, { status: 'completed' });

  for (const one of malformed) {
    expect(await report(body.external_uuid, one)).toMatchObject({
      status: 409,
      body: { detail: "Task is already in 'completed' state and cannot be updated." },
    });
  }
});

test.each([
  '2099-02-30',
  '2099-02-30T10:00:00Z',
  '2099-04-31T10:00:00+02:00',
  '2099-01-01T24:61Z',
  '2099-13-01',
])('rejects the impossible time %s in queries and bodies', async (at) => {
  expect(
    await create({ app: service.appId, action: 'reset_password', account, execute_after: at }),
  ).toMatchObject({
    status: 400,
    body: { detail: 'Input should be a valid date-time (execute_after)' },
  });
  const query = encodeURIComponent(at);
  expect(await service.call('GET', `/api/events/?occurred_at__gte=${query}`)).toMatchObject({ status: 400 });
  const request = { app: service.appId, user: service.adminId, type: 'NEW_ACCESS' };
  for (const field of ['start_time', 'end_time']) {
    expect(await service.call('POST', '/api/tickets/', { ...request, [field]: at })).toMatchObject({
      status: 400,
    });
  }
  const person = { email: 'late@x.example', start_date: at.slice(0, 10) };
  if (at.slice(0, 10) !== '2099-01-01') {
    expect(await service.call('POST', '/api/users/', person)).toMatchObject({ status: 400 });
    const csv = { headers: { 'content-type': 'text/csv' } };
    const rows = `email,start_date\nlate@x.example,${person.start_date}\n`;
    const imported = await service.call('POST', '/api/users/import/', rows, csv);
    expect(JSON.stringify(imported.body)).toContain('start_date');
    expect((await service.call('GET', '/api/users/?q=late@x.example')).body.count).toBe(0);
  }
});

test('rejects attributes nested 20,000 levels deep', async () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const person = `{"email":"deep@x.example","attributes":{"a":${deep}}}`;
  expect(await service.call('POST', '/api/users/', person)).toMatchObject({ status: 400 });
  const change = `{"attributes":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
  expect(await service.call('PATCH', `/api/users/${service.adminId}/`, change)).toMatchObject({
    status: 400,
    body: { detail: 'The body is nested too deeply. At most 100 levels are allowed.' },
  });
});

test('every task names a creator: an owner if nobody decided, and the id of a person who was deleted', async () => {
  const creation = async (email: string, createdBy: string | null) => {
    const userId = await service.addUser(email);
    return { appId: service.appId, action: 'create_account', userId, taskType: 'POLICY', createdBy } as const;
  };
  const gone = await service.addUser('gone@x.example');
  const [byNobody] = await service.create(await creation('nobody@x.example', null));
  const [byGone] = await service.create(await creation('by-gone@x.example', gone));
  await service.call('DELETE', `/api/users/${gone}/`);
  const [afterwards] = await service.create(await creation('after-gone@x.example', gone));
  const creatorOf = async (task: { id: string } | undefined) =>
    (await service.call('GET', `/api/tasks/${task?.id}/`)).body.creator;

  expect(await creatorOf(byNobody)).toMatchObject({ external_uuid: service.adminId });
  expect(await creatorOf(afterwards)).toMatchObject({ external_uuid: service.adminId });
  expect(await creatorOf(byGone)).toEqual({
    external_uuid: gone,
    username: '',
    email: '',
    first_name: '',
    last_name: '',
  });
});
