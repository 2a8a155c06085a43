// @module-tag engine
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HoldTest, openHoldTest } from '#test/holds.ts';
import { setTimes } from '#test/time.ts';

// Without background jobs, so that the tests decide when policies fire.
let service: HoldTest;
beforeEach(async () => {
  service = await openHoldTest();
});
afterEach(() => service.close());

const hold = async () => (await service.onlyHold()).external_uuid as string;

test('a delayed task of the window waits in the hold, and keeps its time', async () => {
  await service.leavers({ delay: 'P30D' });
  const ids = await service.addUsers(20);
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  const [before] = await service.tasks();
  await service.leave(...ids.slice(3, 6));
  expect(await service.tasks('&waits_for=hold')).toHaveLength(3);
  await service.decide(await hold(), 'confirm');
  await service.settled();
  const all = await service.tasks('&status=scheduled');
  expect(all).toHaveLength(6);
  const after = all.find(({ external_uuid }) => external_uuid === before.external_uuid);
  expect(after).toMatchObject({ execute_after: before.execute_after, waits_for: null, hold: null });
});

test('tasks that somebody decided, or a policy made for another reason, are not taken', async () => {
  const updated = await service.leavers({
    name: 'Contractors',
    trigger: 'user.updated',
    condition: 'user.domain_type == "external"',
    effects: [{ do: 'revoke', app: service.appId }],
  });
  const ids = await service.addUsers(20);
  const first = ids[0] as string;
  await service.call('PATCH', `/api/users/${first}/`, { domain_type: 'external' });
  await service.settled();
  const accounts = (await service.call('GET', `/api/accounts/?app=${service.appId}&limit=100`)).body.results;
  const second = accounts.find(({ external_id }: { external_id: string }) => external_id === ids[1]);
  await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'suspend_account',
    account: second.external_uuid,
  });
  await service.leave(...ids.slice(0, 6));
  expect(await service.onlyHold()).toMatchObject({ tasks: 0 });
  expect(await service.fetched()).toEqual(ids.slice(0, 2).toSorted());
  expect(await service.tasks(`&source=${updated}`)).toHaveLength(1);
});

test('another task of an account has its turn while one of it is on hold', async () => {
  await service.leavers();
  const ids = await service.addUsers(20);
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  const accounts = (await service.call('GET', `/api/accounts/?app=${service.appId}&limit=100`)).body.results;
  const one = accounts.find(({ external_id }: { external_id: string }) => external_id === ids[0]);
  const { body: reset } = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'reset_password',
    account: one.external_uuid,
  });
  expect(reset.waits_for).toBe('account');
  await service.leave(...ids.slice(3, 6));
  expect(await service.fetched()).toEqual([ids[0]]);
  await service.decide(await hold(), 'confirm');
  await service.settled();
  await service.bridge('PATCH', `/tasks/${reset.external_uuid}/status/`, { status: 'completed' });
  expect(await service.fetched()).toEqual(ids.slice(0, 6).toSorted());
});

test('confirmed tasks do not wait for the budget of the app again, and count in it', async () => {
  await service.leavers();
  const ids = await service.addUsers(20);
  await service.call('PATCH', `/api/apps/${service.appId}/`, { removal_guard: { percent: 10, at_least: 2 } });
  await service.leave(...ids.slice(0, 6));
  await service.settled();
  await service.decide(await hold(), 'confirm');
  await service.settled();
  expect(await service.fetched()).toHaveLength(6);
  const { body } = await service.call('GET', `/api/apps/${service.appId}/held-tasks/`);
  expect(body).toMatchObject({ count: 0, budget: { used: { accounts: 6 } } });
});

test('a policy that was disabled, deleted or changed since decides with what it says now', async () => {
  const disabled = await service.leavers({ name: 'Disabled' });
  const deleted = await service.leavers({
    name: 'Deleted',
    effects: [{ do: 'revoke', app: service.appId }],
  });
  const ids = await service.addUsers(20);
  await service.leave(...ids.slice(0, 6));
  await service.settled();
  expect(await service.onlyHold()).toMatchObject({ tasks: 12 });
  await service.call('PATCH', `/api/policies/${disabled}/`, { enabled: false });
  expect(await service.onlyHold()).toMatchObject({ tasks: 6 });
  await service.call('DELETE', `/api/policies/${deleted}/`);
  expect(await service.onlyHold()).toMatchObject({ tasks: 0 });
  await service.decide(await hold(), 'confirm');
  await service.settled();
  expect(await service.tasks()).toEqual([]);
});

test('a changed policy decides with its new condition, also about tasks that it has made', async () => {
  const policy = await service.leavers();
  const ids = await service.addUsers(20);
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  await service.leave(...ids.slice(3, 6));
  await service.settled();
  await service.call('PATCH', `/api/policies/${policy}/`, {
    condition: `user.id in ["${ids[0]}", "${ids[5]}"]`,
  });
  await service.decide(await hold(), 'confirm');
  await service.settled();
  expect(await service.fetched()).toEqual([ids[0], ids[5]].toSorted());
  const ended = (await service.tasks('&status=cancelled')).map(({ explanation }) => explanation.happened);
  expect(ended).toEqual(
    Array(2).fill(
      'The task was canceled: When the hold was confirmed, the policy no longer called for the task.',
    ),
  );
});

test('a condition that decides nothing about a person stops no removal that waits', async () => {
  const policy = await service.leavers();
  const ids = await service.addUsers(20);
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  await service.leave(...ids.slice(3, 6));
  await service.call('PATCH', `/api/policies/${policy}/`, {
    condition: 'user.attributes.clearance == "high"',
  });
  await service.decide(await hold(), 'confirm');
  await service.settled();
  expect(await service.fetched()).toHaveLength(3);
});

test('a firing above the task limit leaves to the hold what is its, and confirming it does not release that', async () => {
  const ids = await service.addUsers(20);
  await service.call('PATCH', '/api/policies/settings/', { task_limit: 2 });
  const policy = await service.leavers({
    name: 'Daily',
    trigger: 'daily',
    condition: 'true',
    effects: [{ do: 'revoke', app: service.appId }],
  });
  await service.leave(...ids.slice(0, 6));
  await setTimes(service, 'policy', { ran_at: '1 day earlier' });
  await service.settled();
  const read = async () => (await service.call('GET', `/api/policies/${policy}/`)).body.pending_confirmation;
  expect(await read()).toMatchObject({ status: 'held', count: 14 });
  expect(await service.onlyHold()).toMatchObject({ tasks: 6 });
  await service.call('POST', `/api/policies/${policy}/confirm/`);
  await service.settled();
  expect(await service.tasks()).toHaveLength(14);
  await service.decide(await hold(), 'confirm');
  await service.settled();
  expect(await service.tasks()).toHaveLength(20);
});

test('the tasks of an app that exceed its budget are a hold of the app', async () => {
  const ids = await service.addUsers(20);
  await service.call('PATCH', '/api/organization/', { people_guard: null });
  await service.call('PATCH', `/api/apps/${service.appId}/`, { removal_guard: { percent: 10, at_least: 3 } });
  await service.leavers();
  await service.leave(...ids.slice(0, 4));
  await service.settled();
  const expected = {
    kind: 'app',
    client: null,
    group: null,
    app: { id: service.appId, name: 'Payroll' },
    window_seconds: 86_400,
    of: 20,
    percent: 10,
    status: 'open',
  };
  const found = await service.onlyHold();
  expect(found).toMatchObject({ ...expected, affected: 4, tasks: 4 });
  expect(await service.holds('?kind=app')).toHaveLength(1);
  expect(await service.holds('?kind=people')).toEqual([]);
  const { external_uuid: id } = found;
  const discarded = {
    external_uuid: id,
    status: 'discarded',
    affected: 4,
    tasks: 0,
    reason: 'A mistake',
    decided_by: { email: 'admin@acme.example' },
  };
  expect((await service.decide(id, 'discard')).body).toMatchObject(discarded);
  expect(await service.tasks('&status=cancelled')).toHaveLength(4);
  expect(await service.decide(id, 'confirm')).toMatchObject({
    status: 409,
    body: { detail: 'This hold was already discarded.' },
  });
  expect(await service.holds('?status=discarded')).toMatchObject([discarded]);
  // The next tasks are the next hold, which the page of the app can decide as well.
  await service.leave(...ids.slice(4, 8));
  await service.settled();
  const [next] = await service.holds('?status=open');
  expect(next).toMatchObject({ kind: 'app', affected: 4, tasks: 4 });
  expect((await service.call('POST', `/api/apps/${service.appId}/held-tasks/confirm/`, {})).status).toBe(200);
  expect(await service.holds('?status=confirmed')).toMatchObject([{ external_uuid: next.external_uuid }]);
  expect(await service.holds('?status=open')).toEqual([]);
});
