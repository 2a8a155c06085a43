// @module-tag engine

import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { readBackOf } from './confirmation.ts';
import type { NewTask } from './create.ts';
import { entitlementIds } from './entitlements.ts';

let service: ProvisioningTest;
const everyone: { id: string; email: string; memberships: object }[] = [];

beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());

/** Creates a pending task for an account that no other test uses. */
async function pending(action: string, more: Partial<NewTask> = {}) {
  const id = `seen${everyone.length}`;
  const email = `${id}@acme.example`;
  everyone.push({ id, email, memberships: { team: [{ id: 'red' }] } });
  await service.sync(everyone);
  const { external_uuid } = await service.accountByEmail(email);
  await service.news();
  const { body } = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    account: external_uuid,
    action,
    ...more,
  });
  const read = async () => (await service.call('GET', `/api/tasks/${body.external_uuid}/`)).body;
  const report = (report: object) =>
    service.bridge('PATCH', `/tasks/${body.external_uuid}/status/`, { status: 'completed', ...report });
  return { read, report, email };
}

const lastEvent = async (type: string): Promise<object> =>
  (await service.call('GET', `/api/events/?event_type=${type}&limit=1`)).body.results[0]?.payload;

const seen = { account: 'suspended', held: [], missing: [{ slug: 'team', id: 'red' }] };

test('a task that the connector saw done is confirmed by the read, also after a sync', async () => {
  const { read, report } = await pending('suspend_account');
  expect(await read()).toMatchObject({ confirmation: 'none', seen: null });
  const { status, body } = await report({ result: { confirmed: 'read', seen } });
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'completed', result: {} } });
  expect(await read()).toMatchObject({ op_type: 'PRE_SYNC', confirmation: 'read', seen });
  await service.sync(everyone);
  expect(await read()).toMatchObject({ op_type: 'POST_SYNC', confirmation: 'read', seen });
});

test.each<[string, object | null, object]>([
  ['did not see it', { confirmed: 'none', seen: { ...seen, account: 'active' } }, { account: 'active' }],
  ['does not say it', {}, {}],
  ['sends no result', null, {}],
])('a task whose connector %s is confirmed by the next sync', async (_, result, shown) => {
  const { read, report } = await pending('suspend_account');
  expect((await report({ result })).status).toBe(200);
  const task = await read();
  expect(task).toMatchObject({ op_type: 'PRE_SYNC', confirmation: 'none' });
  expect(task.seen ?? {}).toMatchObject(shown);
  await service.sync(everyone);
  expect(await read()).toMatchObject({ op_type: 'POST_SYNC', confirmation: 'sync' });
});

/** Creates a pending task that takes the group red away from an account of its own, and returns the accounts without the membership. */
async function pendingRemoval() {
  const id = `seen${everyone.length}`;
  const others = [...everyone];
  everyone.push({ id, email: `${id}@acme.example`, memberships: { team: [{ id: 'red' }] } });
  await service.sync(everyone);
  const { external_uuid: accountId } = await service.accountByEmail(`${id}@acme.example`);
  const org = within(service.database.db, service.orgId);
  const [task] = await service.create({
    ...{ appId: service.appId, accountId, action: 'update_account', taskType: 'USER_ACTION' },
    ...{ createdBy: service.adminId, remove: await entitlementIds(org, service.appId, { team: ['red'] }) },
  } as NewTask);
  const read = async () => (await service.call('GET', `/api/tasks/${task?.id}/`)).body;
  const without = [...others, { id, email: `${id}@acme.example`, memberships: {} }];
  everyone.splice(0, everyone.length, ...without);
  return { id: task?.id, read };
}

const unreadable = (slug: string, id: string | null) => ({ slug, id, rule: 'unreadable', count: 1 });

test('a sync that could not see what a task changed does not confirm it', async () => {
  const { id, read } = await pendingRemoval();
  await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
  for (const unseen of [unreadable('team', 'red'), unreadable('team', null), unreadable('person', null)]) {
    await service.sync(everyone, {}, [unseen]);
    expect(await read()).toMatchObject({
      status: 'completed',
      confirmation: 'none',
      confirmed_by_sync: null,
    });
  }
  await service.sync(everyone, {}, [
    unreadable('team', 'blue'),
    { ...unreadable('team', 'red'), rule: 'foreign' },
  ]);
  expect(await read()).toMatchObject({ confirmation: 'sync', confirmed_by_sync: expect.any(String) });
});

test('nothing confirms a new password', async () => {
  const { read, report } = await pending('reset_password');
  await report({ result: { confirmed: 'none', seen: null } });
  await service.sync(everyone);
  expect(await read()).toMatchObject({ op_type: 'POST_SYNC', confirmation: 'none', seen: null });
});

test('a failed task shows what was seen, and is not confirmed', async () => {
  const { read, report } = await pending('delete_account');
  const error = { code: 'INTERNAL_ERROR', message: 'it still exists' };
  const { status } = await report({ status: 'failed', error, result: { confirmed: 'read', seen } });
  expect(status).toBe(200);
  expect(await read()).toMatchObject({ status: 'failed', confirmation: 'none', seen, error });
  expect(await lastEvent('task.failed')).toMatchObject({ confirmed: 'none' });
});

test('the event of a completed task says whether it was seen', async () => {
  const completed = async (result: object) => {
    const { report } = await pending('suspend_account');
    await report({ result });
    return lastEvent('task.completed');
  };
  expect(await completed({ confirmed: 'read', seen })).toMatchObject({ confirmed: 'read' });
  expect(await completed({})).not.toHaveProperty('confirmed');
});

test.each<[string, object, unknown]>([
  ['nothing', {}, { confirmed: null, seen: null }],
  ['other types', { confirmed: true, seen: 'gone' }, { confirmed: null, seen: null }],
  ['an unknown state', { confirmed: 'read', seen: { account: 'odd' } }, { confirmed: 'read', seen: null }],
  [
    'only a state',
    { confirmed: 'none', seen: { account: 'absent' } },
    { confirmed: 'none', seen: { account: 'absent', held: [], missing: [] } },
  ],
  [
    'names that cannot be stored',
    {
      confirmed: 'read',
      seen: {
        account: 'active',
        held: [{ slug: 'team', id: 'a\0' }, null, { slug: 'team', id: 'b', via: { slug: 'team', id: 'c' } }],
        missing: [
          { slug: 'team', id: 'x'.repeat(513) },
          { slug: 'team', id: '\ud800' },
        ],
      },
    },
    {
      confirmed: 'read',
      seen: {
        account: 'active',
        held: [{ slug: 'team', id: 'b', via: { slug: 'team', id: 'c' } }],
        missing: [],
      },
    },
  ],
])('a result with %s is accepted', (_, result, read) => {
  expect(readBackOf(result)).toEqual(read);
});
