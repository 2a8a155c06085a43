// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { untilEnded } from '#test/sync.ts';
import type { NewTask } from '#work/provisioning/create.ts';
import { entitlementIds } from '#work/provisioning/entitlements.ts';

/** Tasks of people whose account or access a sync no longer shows. */
let service: ProvisioningTest;
let call: ProvisioningTest['call'];
let fay: { id: string; key: string };
beforeAll(async () => {
  service = await openProvisioningTest();
  call = service.call;
  fay = await addPersonWithKey(service, 'member', { email: 'fay@acme.example' });
  await fulfill(true);
});
afterAll(() => service.close());

const fulfill = async (enabled: boolean) => {
  const { status, body } = await call('PUT', `/api/apps/${service.appId}/fulfillment/`, {
    ...{ enabled, assignment: 'round_robin', people: [fay.id], groups: [], instructions: {} },
    ...{ due_in_working_days: {}, remind_before_working_days: 1, escalate_after_working_days: null },
  });
  expect(status, JSON.stringify(body)).toBe(200);
};

const ALL = {
  memberships: { team: [{ id: 'red' }, { id: 'blue' }] },
  assignments: { seat: [{ id: 'gold' }] },
};
let number = 0;
const pushed = new Map<string, object>();
/** An account that syncs show from now on. */
function account(more: object = ALL) {
  const id = `v${++number}`;
  const record = { id, email: `${id}@vanished.example`, ...more };
  pushed.set(id, record);
  return record;
}
type Account = ReturnType<typeof account>;
const sync = (unseen?: object[]) => service.sync([...pushed.values()], {}, unseen);
const accountId = async ({ email }: Account) => (await service.accountByEmail(email)).external_uuid;

const ids = (named: Record<string, string[]>) =>
  entitlementIds(within(service.database.db, service.orgId), service.appId, named);
async function create(one: Account, wanted: Partial<NewTask>): Promise<string> {
  const [task] = await service.create({
    ...{ appId: service.appId, accountId: await accountId(one), taskType: 'USER_ACTION' },
    ...{ createdBy: service.adminId, ...wanted },
  } as NewTask);
  return task?.id as string;
}
const taskOf = async (id: string) => (await call('GET', `/api/tasks/${id}/`)).body;
const statusOf = async (id: string) => (await taskOf(id)).status;
const eventOf = async (id: string) =>
  (await eventsOf(service, 'task.')).filter(({ subject }) => subject.uuid === id).at(-1);

test('a deletion is completed by the sync that no longer shows the account', async () => {
  const one = account();
  await sync();
  const id = await create(one, { action: 'delete_account' });
  await service.app.tick();
  const path = `/api/fulfillment/tasks/${id}/`;
  expect((await call('GET', path, undefined, fay)).body).toMatchObject({ may: { report: true } });

  pushed.delete(one.id);
  await sync();

  expect(await taskOf(id)).toMatchObject({
    status: 'completed',
    explanation: {
      happened: 'The task was completed without a report: A sync no longer shows the account.',
      advice: 'If a sync shows otherwise within 30 days, another task removes it.',
    },
  });
  expect(await eventOf(id)).toMatchObject({
    ...{ event_type: 'task.completed', actor: { type: 'system' }, source: { type: 'sync' } },
    payload: { reason: 'A sync no longer shows the account.' },
  });
  expect((await call('GET', path, undefined, fay)).body).toMatchObject({
    ...{ may: { report: false }, note: null, task: { status: 'completed' } },
  });
  expect(await call('POST', `${path}complete/`, {}, fay)).toMatchObject({
    status: 409,
    body: { detail: "Task is already in 'completed' state and cannot be updated." },
  });
});

test.each<[string, () => Promise<Partial<NewTask>>]>([
  ['a suspension', async () => ({ action: 'suspend_account' })],
  ['a new password', async () => ({ action: 'reset_password' })],
  ['a grant', async () => ({ action: 'update_account', add: await ids({ team: ['blue'] }) })],
])('%s is canceled, with the reason, if the account is gone', async (_, wanted) => {
  const one = account({});
  await sync();
  const id = await create(one, await wanted());
  const next = await create(one, { action: 'reset_password' });
  pushed.delete(one.id);
  await sync();

  const reason = 'A sync no longer shows the account.';
  expect(await taskOf(id)).toMatchObject({
    ...{ status: 'cancelled', explanation: { happened: `The task was canceled: ${reason}` } },
  });
  expect(await eventOf(id)).toMatchObject({ event_type: 'task.cancelled', payload: { reason } });
  expect(await statusOf(next)).toBe('cancelled');
});

test('a sync that could not see what a task removes does not end it', async () => {
  const one = account();
  await sync();
  const id = await create(one, { action: 'update_account', remove: await ids({ team: ['red'] }) });
  pushed.set(one.id, { ...one, memberships: {} });
  const unreadable = { rule: 'unreadable', count: 1 };
  await sync([{ ...unreadable, slug: 'team', id: 'red' }]);
  expect(await statusOf(id)).toBe('pending');
  pushed.delete(one.id);
  await sync([{ ...unreadable, slug: 'person', id: null }]);
  expect(await statusOf(id)).toBe('pending');
  pushed.set(one.id, { ...one, memberships: {} });
  await sync();
  expect(await statusOf(id)).toBe('completed');
});

test('a removal is completed once a sync shows none of what it removes', async () => {
  const [one, two, gone] = [account(), account(), account()];
  await sync();
  const remove = await ids({ team: ['red'], seat: ['gold'] });
  const task = { action: 'update_account', remove } as const;
  const [both, mixed, away] = [
    await create(one, task),
    await create(two, {
      action: 'update_account',
      remove: await ids({ team: ['red'] }),
      add: await ids({ team: ['blue'] }),
    }),
    await create(gone, task),
  ];
  pushed.set(one.id, { ...one, memberships: {} });
  pushed.set(two.id, { ...two, memberships: {}, assignments: {} });
  pushed.delete(gone.id);
  await sync();
  expect([await statusOf(both), await statusOf(mixed), await statusOf(away)]).toEqual([
    'pending',
    'pending',
    'completed',
  ]);

  pushed.set(one.id, { ...one, memberships: {}, assignments: {} });
  await sync();
  expect(await taskOf(both)).toMatchObject({
    status: 'completed',
    explanation: {
      happened: expect.stringContaining(
        'A sync no longer shows the groups and licenses that the task removes.',
      ),
    },
  });
  expect(await statusOf(mixed)).toBe('pending');
});

test('what a sync missed is removed by another task when it is back', async () => {
  const [one, two] = [account(), account()];
  await sync();
  const deletion = await create(one, { action: 'delete_account' });
  const removal = await create(two, { action: 'update_account', remove: await ids({ team: ['red'] }) });
  pushed.delete(one.id);
  pushed.set(two.id, { ...two, memberships: {} });
  await sync();
  expect([await statusOf(deletion), await statusOf(removal)]).toEqual(['completed', 'completed']);

  pushed.set(one.id, one);
  pushed.set(two.id, two);
  await sync();
  const open = async (of: Account) =>
    (await call('GET', `/api/tasks/?account=${await accountId(of)}&status=pending`)).body.results;
  expect(await open(one)).toMatchObject([{ action: 'delete_account' }]);
  expect(await open(two)).toMatchObject([
    { action: 'update_account', changes: { team: { removed: [{ id: 'red' }] } } },
  ]);
});

test('tasks of connectors stay: a connector reports what it finds', async () => {
  const one = account();
  await sync();
  await fulfill(false);
  const id = await create(one, { action: 'delete_account' });
  pushed.delete(one.id);
  await sync();
  expect(await statusOf(id)).toBe('pending');
  await fulfill(true);
  await sync();
  expect(await statusOf(id)).toBe('completed');
});

test('the plan of a sync counts the tasks that expect its removals, which end once the removal is approved', async () => {
  const [one, two, three, later] = [account(), account(), account(), account()];
  await sync();
  const deletion = await create(one, { action: 'delete_account' });
  const removal = await create(two, { action: 'update_account', remove: await ids({ team: ['red'] }) });
  await create(three, { action: 'reset_password' });
  await create(later, { action: 'delete_account', executeAfter: new Date(Date.now() + 3_600_000) });
  const guard = (removal_guard: object | null) =>
    call('PATCH', `/api/apps/${service.appId}/`, { removal_guard });
  await guard({ percent: 1, at_least: 1 });

  for (const { id } of [one, three, later]) pushed.delete(id);
  pushed.set(two.id, { ...two, memberships: { team: [{ id: 'blue' }] } });
  const { sync_id } = (await service.bridge('POST', '/sync/')).body;
  await service.bridge('PUT', `/sync/${sync_id}/person/`, { records: [...pushed.values()] });
  const planOf = async () => (await call('GET', `/api/apps/${service.appId}/syncs/${sync_id}/plan/`)).body;
  expect(await planOf()).toMatchObject({ counts: { accounts: { removed: 3 } }, expected_by_tasks: 2 });

  await service.bridge('POST', `/sync/${sync_id}/complete/`);
  const view = async () => (await service.bridge('GET', `/sync/${sync_id}/`)).body;
  expect(await untilEnded({ view }, sync_id)).toMatchObject({ status: 'completing' });
  expect(await planOf()).toMatchObject({ expected_by_tasks: 2 });
  expect([await statusOf(deletion), await statusOf(removal)]).toEqual(['pending', 'pending']);
  await call('POST', `/api/apps/${service.appId}/syncs/${sync_id}/approve/`);
  await untilEnded({ view: async () => ({ ...(await view()), held: undefined }) }, sync_id);
  expect([await statusOf(deletion), await statusOf(removal)]).toEqual(['completed', 'completed']);
  expect(await planOf()).toMatchObject({ expected_by_tasks: 0 });
  await guard(null);
});
