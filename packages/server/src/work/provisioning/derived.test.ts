// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

/** Tasks for access that something else gives (D68). */

let service: ProvisioningTest;
const through = (id: string) => ({ slug: 'team', id });
const ann = {
  id: 'ann',
  email: 'ann@acme.example',
  memberships: { team: [{ id: 'red' }, { id: 'blue', via: through('red') }] },
  assignments: { seat: [{ id: 'gold', via: through('blue') }] },
};
const bob = {
  id: 'bob',
  email: 'bob@acme.example',
  assignments: { seat: [{ id: 'gold', via: through('hidden') }] },
};
beforeAll(async () => {
  service = await openProvisioningTest([ann, bob]);
});
afterAll(() => service.close());

const remove = async (email: string, changes: object) => {
  const { external_uuid: account } = await service.accountByEmail(email);
  return service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'update_account',
    account,
    changes,
  });
};

test('a task for derived access alone is 409 and names the giver and what to remove instead', async () => {
  expect(await remove(ann.email, { seat: { removed: ['gold'] } })).toMatchObject({
    status: 409,
    body: {
      detail:
        "'Gold' cannot be removed by itself, because the account has it through 'Blue'. Remove 'Red' from the account instead, or change it in the app.",
    },
  });
  // Blue is derived itself, so that removing it as well changes nothing.
  const both = { seat: { removed: ['gold'] }, team: { removed: ['blue'] } };
  expect(await remove(ann.email, both)).toMatchObject({ status: 409 });
});

test('a giver that the app does not list as access of the account has to be changed in the app', async () => {
  expect(await remove(bob.email, { seat: { removed: ['gold'] } })).toMatchObject({
    status: 409,
    body: {
      detail:
        "'Gold' cannot be removed by itself, because the account has it through 'hidden'. Remove it in the app.",
    },
  });
});

test('a task that removes the source leaves out what goes with it', async () => {
  const all = { seat: { removed: ['gold'] }, team: { removed: ['red', 'blue'] } };
  const { status, body } = await remove(ann.email, all);
  expect(status).toBe(201);
  expect(body.changes).toEqual({ team: { added: [], removed: [{ id: 'red', name: 'Red' }] } });
  await service.call('POST', `/api/tasks/${body.external_uuid}/cancel/`);
});

test('a completed task that grants derived access makes it direct', async () => {
  const { external_uuid: accountId } = await service.accountByEmail(bob.email);
  const [resource] = (await service.call('GET', `/api/apps/${service.appId}/resources/?slug=seat`)).body
    .results;
  const [task] = await service.create({
    ...{ appId: service.appId, action: 'update_account', accountId, add: [resource.external_uuid] },
    ...{ taskType: 'USER_ACTION', createdBy: null },
  });
  await service.bridge('PATCH', `/tasks/${task?.id}/status/`, { status: 'completed' });
  const { status, body } = await remove(bob.email, { seat: { removed: ['gold'] } });
  expect(status).toBe(201);
  await service.call('POST', `/api/tasks/${body.external_uuid}/cancel/`);
  await service.sync([ann, bob]);
});
