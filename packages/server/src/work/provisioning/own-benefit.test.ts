import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { signInAsOwner } from '#test/sign-in.ts';

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());

const REFUSED = {
  status: 403,
  body: { detail: expect.stringContaining('You cannot give yourself access.') },
};
const act = (body: object, key?: string) =>
  service.call('POST', '/api/tasks/', { app: service.appId, ...body }, key === undefined ? {} : { key });

test('an administrator cannot create an account for themselves, and another one can', async () => {
  const { id: user, key } = await addPersonWithKey(service, 'admin');
  await service.news();

  expect(await act({ action: 'create_account', user }, key)).toMatchObject(REFUSED);
  expect(await service.news()).toEqual([]);
  expect((await act({ action: 'create_account', user })).status).toBe(201);
});

test('an administrator cannot add to their own account or unsuspend it, and can take from it', async () => {
  const { email, key } = await addPersonWithKey(service, 'admin');
  const record = { id: 'own', email, status: 'suspended', memberships: { team: [{ id: 'red' }] } };
  await service.sync([record]);
  const account = (await service.accountByEmail(email)).external_uuid;
  const update = { action: 'update_account', account };

  expect(await act({ action: 'unsuspend_account', account }, key)).toMatchObject(REFUSED);
  expect(await act({ ...update, changes: { team: { added: ['blue'] } } }, key)).toMatchObject(REFUSED);
  expect(
    await act({ ...update, changes: { team: { added: ['blue'], removed: ['red'] } } }, key),
  ).toMatchObject(REFUSED);
  expect((await act({ ...update, changes: { team: { removed: ['red'] } } }, key)).status).toBe(201);
});

test('an administrator cannot give themselves access with a key of theirs that now acts for another one', async () => {
  const [admin, other] = [await addPersonWithKey(service, 'admin'), await addPersonWithKey(service, 'admin')];
  const { call } = await signInAsOwner(service);
  const { results } = (await service.call('GET', `/api/api-keys/?user=${admin.id}`)).body;
  const moved = await call('POST', `/api/api-keys/${results[0].id}/transfer/`, { user: other.id });
  expect(moved).toMatchObject({ status: 200, body: { user: other.id, created_by: admin.id } });
  const createFor = (user: string) => act({ action: 'create_account', user }, admin.key);

  expect(await createFor(admin.id)).toMatchObject(REFUSED);
  expect(await createFor(other.id)).toMatchObject(REFUSED);
  expect((await createFor(await service.addUser('somebody@acme.example'))).status).toBe(201);
});

test('an account that an administrator unlinked from themselves still counts as theirs', async () => {
  const { id, email, key } = await addPersonWithKey(service, 'admin');
  await service.sync([{ id: 'mine', email }]);
  const account = (await service.accountByEmail(email)).external_uuid;
  const link = (user: string | null) => service.call('PATCH', `/api/accounts/${account}/`, { user }, { key });
  const add = (by?: string) =>
    act({ action: 'update_account', account, changes: { team: { added: ['blue'] } } }, by);

  expect((await link(null)).status).toBe(200);
  expect(await add(key)).toMatchObject(REFUSED);
  expect((await link(await service.addUser('friend@acme.example'))).status).toBe(200);
  expect(await add(key)).toMatchObject(REFUSED);
  expect((await link(id)).status).toBe(200);
  expect((await add()).status).toBe(201);
});
