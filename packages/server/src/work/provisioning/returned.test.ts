// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { BY_THE_CLOCK } from '#kit/identity.ts';
import { eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { setTimes } from '#test/time.ts';
import { cancelTasksOf, type NewTask } from './create.ts';
import { entitlementIds } from './entitlements.ts';

/** Removals that are due while a sync does not show what they take away (D31). */

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());

let runs = 0;
const person = (more: object = {}) => {
  const id = `p${++runs}`;
  return { id, email: `${id}@acme.example`, ...more };
};
type Person = ReturnType<typeof person>;
const inRed = { memberships: { team: [{ id: 'red' }] } };

/** Schedules a removal for an hour later. */
async function schedule({ email }: Person, wanted: Partial<NewTask>): Promise<string> {
  const { external_uuid: accountId } = await service.accountByEmail(email);
  const [task] = await service.create({
    ...{ appId: service.appId, accountId, action: 'delete_account', taskType: 'APPROVAL_WORKFLOW' },
    ...{ createdBy: null, executeAfter: new Date(Date.now() + 3_600_000), ...wanted },
  } as NewTask);
  return task?.id ?? '';
}
const red = () =>
  entitlementIds(within(service.database.db, service.orgId), service.appId, { team: ['red'] });

const taskOf = async (id: string) => (await service.call('GET', `/api/tasks/${id}/`)).body;
/** The open tasks of an account. */
async function openOf({ email }: Person) {
  const { external_uuid: account } = await service.accountByEmail(email);
  const { body } = await service.call('GET', `/api/tasks/?account=${account}&limit=100`);
  return body.results
    .filter(({ status }: { status: string }) => status === 'pending' || status === 'scheduled')
    .map(({ action, status, changes }: { action: string; status: string; changes: object }) => ({
      ...{ action, status, changes },
    }));
}

test('an account that is away when its removal is due loses the access when it returns', async () => {
  const [ann, other] = [person(inRed), person()];
  await service.sync([ann, other]);
  const end = await schedule(ann, {});
  await service.sync([other]);
  await service.passTime(3601);
  expect(await taskOf(end)).toMatchObject({
    status: 'cancelled',
    explanation: { advice: expect.stringContaining('creates the task again') },
  });

  await service.sync([ann, other]);
  expect(await openOf(ann)).toMatchObject([{ action: 'delete_account', status: 'pending' }]);
  const created = (await eventsOf(service, 'task.created')).at(-1);
  expect(created).toMatchObject({ actor: { type: 'system' }, payload: { action: 'delete_account' } });
  await service.sync([ann, other]);
  expect(await openOf(ann)).toHaveLength(1);
});

test.each(['delete_account', 'suspend_account'] as const)(
  'a planned %s waits until the connector signs in with another account',
  async (action) => {
    const [ann, other] = [person(), person()];
    await service.sync([ann, other]);
    const end = await schedule(ann, { action });
    const reviewed = await schedule(ann, { action, taskType: 'ACCESS_REVIEW' });
    await service.sync([{ ...ann, is_own: true }, other]);
    await service.passTime(3601);
    expect(await taskOf(end)).toMatchObject({
      status: 'cancelled',
      explanation: { advice: expect.stringContaining('signs in with another account') },
    });
    expect(await taskOf(reviewed)).toMatchObject({ status: 'cancelled', explanation: { advice: null } });
    await setTimes(service, 'task', { awaits_return_until: '40 days earlier' }, { id: end });
    await service.sync([{ ...ann, is_own: true }, other]);
    expect(await openOf(ann)).toEqual([]);
    await service.sync([ann, other]);
    expect(await openOf(ann)).toMatchObject([{ action, status: 'pending' }]);
  },
);

test('a task that is created again grants nothing', async () => {
  const [ann, other] = [person(inRed), person({ memberships: { team: [{ id: 'blue' }] } })];
  await service.sync([ann, other]);
  const blue = await entitlementIds(within(service.database.db, service.orgId), service.appId, {
    team: ['blue'],
  });
  await schedule(ann, { action: 'update_account', add: blue, remove: await red() });
  await service.sync([other]);
  await service.passTime(3601);
  await service.sync([ann, other]);
  expect(await openOf(ann)).toMatchObject([
    { action: 'update_account', changes: { team: { added: [], removed: [{ id: 'red' }] } } },
  ]);
});

test('so does one whose sync is reverted', async () => {
  const [ann, other] = [person(), person()];
  await service.sync([ann, other]);
  await schedule(ann, {});
  await service.sync([other]);
  await service.passTime(3601);
  const { body } = await service.call('GET', `/api/apps/${service.appId}/syncs/?limit=1`);
  const reverted = await service.call(
    'POST',
    `/api/apps/${service.appId}/syncs/${body.results[0].sync_id}/revert/`,
    {},
  );
  expect(reverted.status).toBe(200);
  expect(await openOf(ann)).toMatchObject([{ action: 'delete_account' }]);
});

test('an account whose status only passed is suspended when it is active again', async () => {
  const ann = person();
  await service.sync([ann]);
  const suspend = await schedule(ann, {
    action: 'suspend_account',
    preconditions: [{ kind: 'account_status', in: ['ACTIVE', 'INVITED'] }],
  });
  await service.sync([{ ...ann, status: 'inactive' }]);
  await service.passTime(3601);
  expect(await taskOf(suspend)).toMatchObject({ status: 'cancelled' });
  await service.sync([ann]);
  expect(await openOf(ann)).toMatchObject([{ action: 'suspend_account', status: 'pending' }]);
});

test('a group that was away for one run is revoked when it returns', async () => {
  const ann = person(inRed);
  await service.sync([ann]);
  const revoke = await schedule(ann, {
    ...{ action: 'update_account', remove: await red() },
    preconditions: [{ kind: 'change_needed' }, { kind: 'not_regranted' }],
  });
  await service.sync([{ ...ann, memberships: {} }]);
  await service.passTime(3601);
  expect(await taskOf(revoke)).toMatchObject({ status: 'cancelled' });
  await service.sync([{ ...ann, memberships: {} }]);
  expect(await openOf(ann)).toEqual([]);

  await service.sync([ann]);
  expect(await openOf(ann)).toMatchObject([
    { action: 'update_account', status: 'pending', changes: { team: { removed: [{ id: 'red' }] } } },
  ]);
});

test('so is a group that nobody else had, which is gone for that run', async () => {
  const ann = person({ memberships: { team: [{ id: 'alone' }] } });
  await service.sync([ann]);
  const alone = await entitlementIds(within(service.database.db, service.orgId), service.appId, {
    team: ['alone'],
  });
  const revoke = await schedule(ann, { action: 'update_account', remove: alone });
  await service.sync([{ ...ann, memberships: {} }]);
  await service.passTime(3601);
  expect(await taskOf(revoke)).toMatchObject({
    status: 'cancelled',
    explanation: { happened: expect.stringContaining('no longer exists'), advice: expect.anything() },
  });
  await service.sync([{ ...ann, memberships: {} }]);
  expect((await eventsOf(service, 'task.created')).at(-1)?.payload).toMatchObject({ task_id: revoke });

  await service.sync([ann]);
  expect(await openOf(ann)).toMatchObject([
    { action: 'update_account', changes: { team: { removed: [{ id: 'alone' }] } } },
  ]);
});

/** Reports the pending tasks of an account as completed. */
async function complete({ email }: Person): Promise<void> {
  const { external_uuid: account } = await service.accountByEmail(email);
  const { body } = await service.call('GET', `/api/tasks/?account=${account}&status=pending`);
  for (const { external_uuid: id } of body.results)
    await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
}

test('so is temporary access that a sync shows again after its end, within 30 days', async () => {
  const [ann, other] = [person(), person(inRed)];
  await service.sync([ann, other]);
  const add = await entitlementIds(within(service.database.db, service.orgId), service.appId, {
    team: ['red'],
  });
  const { external_uuid: accountId } = await service.accountByEmail(ann.email);
  const source = { type: 'ticket', id: '0190163d-8694-739b-aea5-966c26f8ad92' } as const;
  const until = new Date(Date.now() + 3_600_000);
  await service.create({
    ...{ appId: service.appId, accountId, action: 'update_account', add, until, source },
    ...{ taskType: 'APPROVAL_WORKFLOW', createdBy: null },
  });
  await complete(ann);
  await service.sync([ann, other]);
  await service.passTime(3601);
  await complete(ann);
  expect(await openOf(ann)).toEqual([]);
  await service.sync([{ ...ann, ...inRed }, other]);
  expect(await openOf(ann)).toMatchObject([
    { action: 'update_account', changes: { team: { removed: [{ id: 'red' }] } } },
  ]);
});

test('a group that was left out because it was gone is revoked when it returns, and only this one', async () => {
  const both = { memberships: { team: [{ id: 'red' }, { id: 'alone' }] } };
  const [ann, other] = [person(both), person(inRed)];
  await service.sync([ann, other]);
  const remove = await entitlementIds(within(service.database.db, service.orgId), service.appId, {
    team: ['red', 'alone'],
  });
  const revoke = await schedule(ann, { action: 'update_account', remove });
  await service.sync([{ ...ann, ...inRed }, other]);
  await service.passTime(3601);
  expect(await taskOf(revoke)).toMatchObject({
    status: 'pending',
    changes: { team: { removed: [{ id: 'red' }] } },
    explanation: {
      happened: expect.stringContaining('"alone" no longer exists.'),
      advice: 'If a sync shows otherwise within 30 days, another task removes it.',
    },
  });
  await service.bridge('GET', '/tasks/?status=pending');
  await service.bridge('PATCH', `/tasks/${revoke}/status/`, { status: 'completed' });
  await service.sync([{ ...ann, memberships: {} }, other]);
  expect(await openOf(ann)).toEqual([]);

  await service.sync([ann, other]);
  expect(await openOf(ann)).toMatchObject([
    {
      action: 'update_account',
      status: 'pending',
      changes: { team: { added: [], removed: [{ id: 'alone' }] } },
    },
  ]);
  await service.sync([ann, other]);
  expect(await openOf(ann)).toHaveLength(1);
});

test.each(['after', 'before'])(
  'so is one that something else gave, once it is given directly %s the task has run',
  async (when) => {
    const blue = (given: object) => ({ memberships: { team: [{ id: 'red' }, { id: 'blue', ...given }] } });
    const id = person().id;
    const ann = { id, email: `${id}@acme.example` };
    await service.sync([{ ...ann, ...blue({}) }]);
    const remove = await entitlementIds(within(service.database.db, service.orgId), service.appId, {
      team: ['red', 'blue'],
    });
    const revoke = await schedule(ann, {
      ...{ action: 'update_account', remove },
      preconditions: [{ kind: 'change_needed' }, { kind: 'not_derived' }],
    });
    const through = {
      memberships: { team: [{ id: 'red' }, { id: 'blue', via: { slug: 'seat', id: 'gold' } }] },
    };
    await service.sync([{ ...ann, ...through }]);
    await service.passTime(3601);
    expect(await taskOf(revoke)).toMatchObject({
      status: 'pending',
      changes: { team: { removed: [{ id: 'red' }] } },
      explanation: { happened: expect.stringContaining('because the account has it through "Gold"') },
    });
    await service.bridge('GET', '/tasks/?status=pending');
    const report = () => service.bridge('PATCH', `/tasks/${revoke}/status/`, { status: 'completed' });
    if (when === 'after') {
      await report();
      await service.sync([{ ...ann, ...through }]);
      expect(await openOf(ann)).toEqual([]);
    }
    await service.sync([{ ...ann, ...blue({}) }]);
    if (when === 'before') await report();
    expect(await openOf(ann)).toMatchObject([
      {
        action: 'update_account',
        status: 'pending',
        changes: { team: { added: [], removed: [{ id: 'blue' }] } },
      },
    ]);
  },
);

test('a retry takes on what was left out, and the failed task can be retried after the return', async () => {
  const both = { memberships: { team: [{ id: 'red' }, { id: 'rare' }] } };
  const [ann, other] = [person(both), person(inRed)];
  await service.sync([ann, other]);
  const remove = await entitlementIds(within(service.database.db, service.orgId), service.appId, {
    team: ['red', 'rare'],
  });
  const revoke = await schedule(ann, { action: 'update_account', remove });
  await service.sync([{ ...ann, ...inRed }, other]);
  await service.passTime(3601);
  const fail = async (id: string, code: string) => {
    await service.bridge('GET', '/tasks/?status=pending');
    const error = { code, message: 'No.' };
    await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'failed', error });
  };
  await fail(revoke, 'TIMEOUT');
  await service.passTime(61);
  const { body } = await service.bridge('GET', '/tasks/?status=pending');
  const [retried] = body.tasks.slice(-1);
  await fail(retried.id, 'PERMISSION_DENIED');

  await service.sync([ann, other]);
  expect(await openOf(ann)).toMatchObject([{ changes: { team: { removed: [{ id: 'rare' }] } } }]);
  expect(await service.call('POST', `/api/tasks/${retried.id}/retry/`)).toMatchObject({
    status: 201,
    body: { changes: { team: { removed: [{ id: 'red' }] } } },
  });
});

test('the wait ends after 30 days, and the task says so', async () => {
  const [ann, other] = [person(), person()];
  await service.sync([ann, other]);
  const end = await schedule(ann, {});
  await service.sync([other]);
  await service.passTime(3601);
  await setTimes(service, 'task', { awaits_return_until: '30 days earlier' }, { id: end });
  expect((await taskOf(end)).explanation.advice).toBe(
    'No sync showed otherwise within 30 days, so the task is not created again.',
  );
  await service.sync([ann, other]);
  expect(await openOf(ann)).toEqual([]);
});

test('access that Gatehouse has granted again since stays', async () => {
  const ann = person(inRed);
  await service.sync([ann]);
  await schedule(ann, {
    ...{ action: 'update_account', remove: await red() },
    preconditions: [{ kind: 'change_needed' }],
  });
  await service.sync([{ ...ann, memberships: {} }]);
  await service.passTime(3601);
  await schedule(ann, { action: 'update_account', add: await red(), executeAfter: null });
  const { body } = await service.bridge('GET', '/tasks/?status=pending');
  for (const { id } of body.tasks)
    await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });

  await service.sync([ann]);
  expect(await openOf(ann)).toEqual([]);
});

test('nor does a removal return whose decision is taken back while it waits', async () => {
  const [ann, other] = [person(), person()];
  await service.sync([ann, other]);
  const source = { type: 'policy' as const, id: '0190163d-8694-739b-aea5-966c26f8ad91' };
  await schedule(ann, { source });
  await service.sync([other]);
  await service.passTime(3601);
  await transaction(within(service.database.db, service.orgId), (tx) =>
    cancelTasksOf(tx, source, BY_THE_CLOCK, 'The policy was deleted.'),
  );
  await service.sync([ann, other]);
  expect(await openOf(ann)).toEqual([]);
});

test('a removal whose reason is gone stays canceled', async () => {
  const ann = person();
  await service.sync([ann]);
  const user_id = await service.addUser(`left-${ann.email}`);
  await schedule(ann, { preconditions: [{ kind: 'user_inactive', user_id }] });
  await service.passTime(3601);
  await service.sync([ann]);
  expect(await openOf(ann)).toEqual([]);
});
