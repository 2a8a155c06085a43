import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { signInAs } from '#test/sign-in.ts';

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest([
    { id: 'ann', email: 'ann@acme.example' },
    { id: 'bob', email: 'bob@acme.example' },
    { id: 'cleo', email: 'cleo@acme.example' },
    { id: 'dan', email: 'dan@acme.example' },
  ]);
});
afterAll(() => service.close());

const retry = (id: string) => service.call('POST', `/api/tasks/${id}/retry/`);
const make = async (body: object) =>
  (await service.call('POST', '/api/tasks/', { app: service.appId, ...body })).body;
const fail = async (id: string, code = 'PERMISSION_DENIED') => {
  await service.bridge('GET', '/tasks/?status=pending');
  await service.bridge('PATCH', `/tasks/${id}/status/`, {
    status: 'failed',
    error: { code, message: 'No.' },
  });
};
const update = async (email: string) =>
  make({
    account: (await service.accountByEmail(email)).external_uuid,
    action: 'update_account',
    changes: { team: { added: ['red'] } },
  });

test('retries a failed task once, with the same changes', async () => {
  const { external_uuid: id } = await update('ann@acme.example');
  await fail(id);
  await service.news();

  const both = await Promise.all([retry(id), retry(id)]);

  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const again = both.find(({ status }) => status === 201)?.body;
  expect(again).toMatchObject({
    status: 'pending',
    retry_of: id,
    attempt: 2,
    changes: { team: { added: [{ id: 'red' }] } },
  });
  expect(await service.news()).toEqual(['task.created', 'task.retried']);
  for (const one of [id, again.external_uuid])
    expect((await service.call('GET', `/api/tasks/?attempts_of=${one}`)).body).toMatchObject({
      count: 2,
      results: [{ external_uuid: again.external_uuid }, { external_uuid: id }],
    });
  await service.bridge('PATCH', `/tasks/${again.external_uuid}/status/`, { status: 'completed' });
  expect((await service.accountByEmail('ann@acme.example')).memberships).toMatchObject({
    team: [{ id: 'red' }],
  });
});

test('rejects retries of open tasks and of tasks that are retried automatically', async () => {
  const { external_uuid: id } = await update('bob@acme.example');
  expect((await retry(id)).status).toBe(409);
  await fail(id, 'TIMEOUT');
  expect((await retry(id)).status).toBe(409);
  expect((await retry('0199a000-0000-7000-8000-000000000001')).status).toBe(404);
});

test('retries a failed creation with the account as NEW', async () => {
  const user = await service.addUser('new@acme.example');
  const { external_uuid: id } = await make({ user, action: 'create_account' });
  await fail(id);
  expect(await service.accountByEmail('new@acme.example')).toMatchObject({ status: 'INACTIVE' });

  const again = await retry(id);

  expect(again).toMatchObject({ status: 201, body: { status: 'pending', action: 'create_account' } });
  expect(await service.accountByEmail('new@acme.example')).toMatchObject({ status: 'NEW' });
});

test('rejects the retry of a creation whose account exists', async () => {
  const user = await service.addUser('late@acme.example');
  const { external_uuid: id } = await make({ user, action: 'create_account' });
  await fail(id);
  await make({ user, action: 'create_account' });

  expect(await retry(id)).toMatchObject({ status: 409, body: { detail: 'The account already exists.' } });
});

test('filters tasks by person, error code, source and part of the email', async () => {
  const count = async (query: string) => (await service.call('GET', `/api/tasks/?${query}`)).body.count;
  const user = await service.addUser('found@acme.example');
  await make({ user, action: 'create_account' });
  const before = await count('error_code=TIMEOUT');
  await fail((await update('cleo@acme.example')).external_uuid, 'TIMEOUT');

  expect(await count(`user=${user}`)).toBe(1);
  expect(await count('email=FOUND%40')).toBe(1);
  expect(await count('email=f_und')).toBe(0);
  expect(await count('error_code=TIMEOUT')).toBe(before + 1);
  expect(await count('source=0199a000-0000-7000-8000-000000000001')).toBe(0);
  expect((await service.call('GET', '/api/tasks/?error_code=NONSENSE')).status).toBe(400);
});

test('a member sees the tasks of their own accounts only', async () => {
  const person = (await service.call('POST', '/api/users/', { email: 'mine@acme.example' })).body;
  const mine = await make({ user: person.external_uuid, action: 'create_account' });
  const others = await update('dan@acme.example');
  const { call } = await signInAs(service, person);

  const { results } = (await call('GET', '/api/tasks/')).body;

  expect(results.map(({ external_uuid }: { external_uuid: string }) => external_uuid)).toEqual([
    mine.external_uuid,
  ]);
  expect((await call('GET', `/api/tasks/${mine.external_uuid}/`)).status).toBe(200);
  expect((await call('GET', `/api/tasks/${others.external_uuid}/`)).status).toBe(403);
  expect((await call('GET', `/api/tasks/?user=${service.adminId}`)).status).toBe(403);
  expect((await call('POST', `/api/tasks/${mine.external_uuid}/retry/`)).status).toBe(403);
});
