import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '../../../test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '../../../test/provisioning.ts';

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
