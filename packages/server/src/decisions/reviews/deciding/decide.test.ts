import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { closeCycle } from './close.ts';

let service: ReviewsTest;
let bob: { id: string; key: string };

const email = (name: string) => `${name}@acme.example`;
const ann = {
  id: 'ann',
  email: email('ann'),
  memberships: { team: [{ id: 'blue' }, { id: 'red' }] },
  assignments: { seat: [{ id: 'gold' }] },
};
const world = [ann, { id: 'bob', email: email('bob'), memberships: { team: [{ id: 'red' }] } }];

beforeAll(async () => {
  service = await openReviewsTest(world);
  bob = await service.keyOf(email('bob'));
  await service.call('POST', '/api/users/', { email: email('ann'), manager: bob.id });
});
afterAll(() => service.close());

/** Undoes what a test revoked: cancels open tasks and syncs the original records. */
afterEach(async () => {
  for (const { external_uuid } of await openTasks()) {
    await service.call('POST', `/api/tasks/${external_uuid}/cancel/`);
  }
  await service.sync(world);
});
beforeEach(() => service.news());

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
async function openTasks(): Promise<any[]> {
  const { body } = await service.call('GET', `/api/tasks/?app=${service.appId}&limit=200`);
  return body.results.filter(({ status }: { status: string }) => ['pending', 'scheduled'].includes(status));
}

/** Starts a cycle with ann's items only: her account, gold, blue, red. */
const startOfAnn = (settings: object = {}) =>
  service.start({ scope: { users: `user.email == '${email('ann')}'` }, ...settings });

test('schedules one task per account and decision for the end of the cooling-off', async () => {
  const cycle = await startOfAnn({ name: 'Spring', cooling_off_hours: 48 });
  const [account, gold, blue, red] = await service.items(cycle);
  const { status, body } = await service.decide(cycle, [gold, red], 'revoke', { comment: 'Moved on' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'in_progress', progress: { decided: 2, undecided: 2, revoked: 2 } });
  expect((await service.decide(cycle, [account, blue], 'keep')).body).toMatchObject({
    status: 'completed',
    completed_at: expect.any(String),
    progress: { decided: 4, undecided: 0, kept: 2, revoked: 2 },
  });

  const [task, ...others] = await openTasks();
  expect(others).toEqual([]);
  expect(task).toMatchObject({
    action: 'update_account',
    status: 'scheduled',
    task_type: 'ACCESS_REVIEW',
    reason: 'Revoked in the access review "Spring": Moved on',
    source: { type: 'review_item', id: gold.id },
    creator: { external_uuid: service.adminId },
    changes: { seat: { removed: [{ id: 'gold' }] }, team: { added: [], removed: [{ id: 'red' }] } },
  });
  const decided = (await service.items(cycle, 'decision=revoke'))[0];
  expect(Date.parse(task.execute_after) - Date.parse(decided.decided_at)).toBe(48 * 3600 * 1000);
  expect(decided).toMatchObject({
    comment: 'Moved on',
    decided_by: { external_uuid: service.adminId },
    task: { external_uuid: task.external_uuid, status: 'scheduled' },
  });
  expect(await service.news()).toEqual(['task.created']);
});

test('shows the task of the item, not that of a request with the same id', async () => {
  const cycle = await startOfAnn({ cooling_off_hours: 0 });
  const [, gold] = await service.items(cycle);
  await service.decide(cycle, [gold], 'revoke');
  const [{ task }] = await service.items(cycle, 'decision=revoke');
  const { body: item } = await service.call('GET', `/api/tasks/${task.external_uuid}/`);
  await service.create({
    appId: service.appId,
    accountId: item.app_user.external_uuid,
    action: 'update_account',
    taskType: 'APPROVAL_WORKFLOW',
    createdBy: null,
    source: { type: 'ticket', id: gold.id },
  });
  expect((await service.items(cycle, 'decision=revoke'))[0].task).toEqual(task);
});

test('makes the task pending immediately without a cooling-off', async () => {
  const cycle = await startOfAnn({ cooling_off_hours: 0 });
  const [, , blue] = await service.items(cycle);
  await service.decide(cycle, [blue], 'revoke');
  const { body } = await service.bridge('GET', '/tasks/?status=pending');
  expect(body.tasks).toMatchObject([
    {
      action: 'update_account',
      payload: { account: { id: 'ann' }, changes: { team: { removed: [{ id: 'blue' }] } } },
    },
  ]);
});

test.each([
  ['delete', ['delete_account']],
  ['suspend', ['suspend_account', 'update_account']],
])('revokes an account by %s', async (revoke_account_by, actions) => {
  const cycle = await startOfAnn({ revoke_account_by });
  await service.decide(cycle, await service.items(cycle), 'revoke');
  expect((await openTasks()).map(({ action }) => action).sort()).toEqual(actions);
  const items = await service.items(cycle);
  expect(items.map(({ task }) => task.action)).toEqual(
    items.map(({ kind }) => (kind === 'account' ? actions[0] : actions.at(-1))),
  );
});

test('cancels the task when a decision changes and reschedules the items it shared', async () => {
  const cycle = await startOfAnn();
  const [, gold, blue, red] = await service.items(cycle);
  await service.decide(cycle, [gold, blue, red], 'revoke', { comment: 'All' });
  const [before] = await openTasks();
  await service.news();
  expect((await service.decide(cycle, [blue], 'keep', { comment: 'Not this one' })).status).toBe(200);

  const [after, ...others] = await openTasks();
  expect(others).toEqual([]);
  expect(after.external_uuid).not.toBe(before.external_uuid);
  expect(after).toMatchObject({
    execute_after: before.execute_after,
    changes: { seat: { removed: [{ id: 'gold' }] }, team: { removed: [{ id: 'red' }] } },
  });
  expect(await service.news()).toEqual(['task.cancelled', 'task.created']);
  const [, , kept] = await service.items(cycle);
  expect(kept).toMatchObject({
    decision: 'keep',
    task: null,
    earlier: [{ decision: 'revoke', comment: 'All', decided_by: service.adminId }],
  });
  const { body } = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
  expect(body.progress).toMatchObject({ kept: 1, revoked: 2 });
});

test('does not recreate a task that an administrator canceled', async () => {
  const cycle = await startOfAnn();
  const [, gold, blue] = await service.items(cycle);
  await service.decide(cycle, [gold, blue], 'revoke');
  const [task] = await openTasks();
  await service.call('POST', `/api/tasks/${task.external_uuid}/cancel/`);
  expect((await service.decide(cycle, [blue], 'keep')).status).toBe(200);
  expect(await openTasks()).toEqual([]);
  expect(await service.items(cycle, 'decision=revoke')).toMatchObject([
    { id: gold.id, task: { external_uuid: task.external_uuid, status: 'cancelled' } },
  ]);
});

test('changes nothing when a decision is repeated', async () => {
  const cycle = await startOfAnn();
  const [, gold] = await service.items(cycle);
  await service.decide(cycle, [gold], 'revoke', { comment: 'Twice' });
  const [before] = await service.items(cycle, 'decision=revoke');
  expect((await service.decide(cycle, [gold], 'revoke', { comment: 'Twice' })).status).toBe(200);
  expect(await service.items(cycle, 'decision=revoke')).toEqual([before]);
  expect(await service.news()).toEqual(['task.created']);
});

test('rejects changes of a revocation after its cooling-off, and of a keep in a completed cycle', async () => {
  const cycle = await startOfAnn({ cooling_off_hours: 0 });
  const [account, gold, blue, red] = await service.items(cycle);
  await service.decide(cycle, [gold], 'revoke');
  expect((await service.decide(cycle, [gold], 'keep')).status).toBe(409);
  await service.decide(cycle, [blue], 'keep');
  expect((await service.decide(cycle, [blue], 'revoke')).status).toBe(200);
  expect((await service.decide(cycle, [account, red], 'keep')).body.status).toBe('completed');
  expect((await service.decide(cycle, [red], 'revoke')).status).toBe(409);
});

test('accepts changes in a completed cycle within the cooling-off', async () => {
  const cycle = await startOfAnn();
  const items = await service.items(cycle);
  expect((await service.decide(cycle, items, 'keep')).body.status).toBe('completed');
  const { body } = await service.decide(cycle, items.slice(1, 2), 'revoke');
  expect(body).toMatchObject({ status: 'completed', progress: { kept: 3, revoked: 1 } });
  expect(await openTasks()).toHaveLength(1);
});

test('creates no task for access that is already gone', async () => {
  const cycle = await startOfAnn();
  const [, gold, blue, red] = await service.items(cycle);
  await service.sync([
    { ...ann, memberships: { team: [{ id: 'red' }] }, assignments: {} },
    ...world.slice(1),
  ]);
  await service.decide(cycle, [gold, blue], 'revoke');
  expect(await openTasks()).toEqual([]);
  await service.decide(cycle, [red], 'revoke');
  await service.sync(world.slice(1));
  await service.passTime(24 * 3600);
  expect(await openTasks()).toEqual([]);
  const [cancelled] = await service
    .items(cycle, 'decision=revoke&kind=membership')
    .then((all) => all.slice(1));
  expect(cancelled).toMatchObject({ task: { status: 'cancelled' }, seen_gone: true });
});

test('counts access as gone by a status only if its task completed', async () => {
  const cycle = await startOfAnn({ cooling_off_hours: 0, revoke_account_by: 'suspend' });
  const [account, gold, blue, red] = await service.items(cycle);
  await service.decide(cycle, [gold, blue, red], 'keep');
  await service.decide(cycle, [account], 'revoke');
  const seenGone = async () => (await service.items(cycle, 'decision=revoke'))[0].seen_gone;
  const { external_uuid: task } = (await openTasks())[0];
  await service.bridge('GET', '/tasks/?status=pending');
  await service.bridge('PATCH', `/tasks/${task}/status/`, {
    status: 'failed',
    error: { code: 'PERMISSION_DENIED', message: 'No' },
  });

  for (const status of ['inactive', 'suspended']) {
    await service.sync([{ ...ann, status }, ...world.slice(1)]);
    expect(await seenGone()).toBe(false);
  }
  await service.sync(world.slice(1));
  expect(await seenGone()).toBe(true);
  await service.sync(world);
  expect((await service.items(cycle, 'decision=revoke'))[0]).toMatchObject({
    ...{ seen_gone: true, seen_gone_at: expect.any(String), seen_again_at: expect.any(String) },
    restored_by: null,
  });
});

test('counts access as gone only if the sync could see it', async () => {
  const cycle = await startOfAnn({ cooling_off_hours: 0 });
  const [, , , red] = await service.items(cycle);
  await service.decide(cycle, [red], 'revoke');
  const { external_uuid: task } = (await openTasks())[0];
  await service.bridge('GET', '/tasks/?status=pending');
  await service.bridge('PATCH', `/tasks/${task}/status/`, { status: 'completed' });
  const without = [{ ...ann, memberships: { team: [{ id: 'blue' }] } }, ...world.slice(1)];
  const unreadable = { slug: 'team', id: 'red', rule: 'unreadable', count: 1 };
  await service.sync(without, {}, [unreadable]);
  expect(await service.items(cycle, 'decision=revoke')).toMatchObject([{ seen_gone: false }]);
  await service.sync(without, {}, [{ ...unreadable, id: 'blue' }]);
  expect(await service.items(cycle, 'decision=revoke')).toMatchObject([{ seen_gone: true }]);
});

test('says how many members of a group no item shows', async () => {
  await service.sync(world, {}, [
    { slug: 'team', id: 'red', rule: 'foreign', count: 12 },
    { slug: 'seat', id: 'gold', rule: 'computed', count: 2 },
  ]);
  const hiddenOf = async (settings: object) => {
    const cycle = await startOfAnn(settings);
    const { body } = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
    const items = await service.items(cycle);
    return [
      body.hidden_members,
      ...items.map(({ context }: { context: { hidden_members: number } }) => context.hidden_members),
    ];
  };
  expect(await hiddenOf({})).toEqual([14, 0, 2, 0, 12]);
  const users = `user.email == '${email('ann')}'`;
  expect(await hiddenOf({ scope: { users, include: ['memberships'] } })).toEqual([12, 0, 12]);
});

test('does not count a membership as gone while an inactive account still holds it', async () => {
  const cycle = await startOfAnn({ cooling_off_hours: 0 });
  const [, , , red] = await service.items(cycle);
  await service.decide(cycle, [red], 'revoke');
  await service.sync([{ ...ann, status: 'inactive' }, ...world.slice(1)]);
  expect(await service.items(cycle, 'decision=revoke')).toMatchObject([{ seen_gone: false }]);
});

test('creates no task in an archived app', async () => {
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Old' })).body.id;
  const bridge = `/api/v1/bridge/apps/${app}`;
  await service.call('POST', `${bridge}/resource-types/`, { slug: 'person', name: 'p', type: 'account' });
  const { sync_id } = (await service.call('POST', `${bridge}/sync/`)).body;
  await service.call('PUT', `${bridge}/sync/${sync_id}/person/`, { records: [{ id: 'x', username: 'x' }] });
  await service.call('POST', `${bridge}/sync/${sync_id}/abandon/`);
  const cycle = await service.start({ scope: { apps: [app] } });
  await service.call('DELETE', `/api/apps/${app}/`);
  const { status, body } = await service.decide(cycle, await service.items(cycle), 'revoke');
  expect({ status, cycle: body.status }).toEqual({ status: 200, cycle: 'completed' });
  expect(await service.items(cycle)).toMatchObject([
    {
      ...{ decision: 'revoke', task: null },
      revocation: { state: 'not_possible', reason: 'Old is archived, so its access is not removed.' },
    },
  ]);
});

test('says that access which was gone when it was revoked came back', async () => {
  const cycle = await startOfAnn({ cooling_off_hours: 0 });
  const [, , , red] = await service.items(cycle);
  await service.sync([{ ...ann, memberships: { team: [{ id: 'blue' }] } }, ...world.slice(1)]);
  await service.decide(cycle, [red], 'revoke');
  const revoked = async () => (await service.items(cycle, 'decision=revoke'))[0];
  expect(await revoked()).toMatchObject({ task: null, revocation: { state: 'carried_out' } });
  await service.sync(world);
  expect((await revoked()).revocation).toEqual({
    state: 'not_possible',
    reason:
      'The access was gone when it was revoked, and came back later. Remove it with a task, or in another review.',
  });
});

test('lets reviewers decide their own items only, never their own access, and all or none', async () => {
  const cycle = await service.start({ fallback_reviewers: [bob.id] });
  const items = await service.items(cycle);
  const own = items.filter(({ user }) => user?.external_uuid === bob.id);
  const anns = items.filter(({ user }) => user?.external_uuid !== bob.id);
  const mine = async (key: string) =>
    (
      await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/items/?mine=true`, undefined, {
        key,
      })
    ).body;

  expect((await mine(bob.key)).results.map(({ id }: { id: string }) => id)).toEqual(anns.map(({ id }) => id));
  expect((await mine(service.key)).count).toBe(own.length);
  expect((await service.decide(cycle, items, 'keep', { key: bob.key })).status).toBe(403);
  expect(await service.items(cycle, 'decision=none')).toHaveLength(items.length);
  expect((await service.decide(cycle, anns, 'keep', { key: bob.key })).status).toBe(200);

  const stranger = await service.keyOf(email('stranger'));
  const address = `/api/reviews/cycles/${cycle.external_uuid}`;
  expect((await service.call('GET', `${address}/items/`, undefined, { key: stranger.key })).status).toBe(403);
  expect((await service.decide(cycle, own, 'keep', { key: stranger.key })).status).toBe(403);
  expect(
    (await service.call('GET', '/api/reviews/cycles/', undefined, { key: stranger.key })).body.count,
  ).toBe(0);
  const ofBob = (await service.call('GET', '/api/reviews/cycles/', undefined, { key: bob.key })).body.results;
  expect(ofBob).toContainEqual(expect.objectContaining({ external_uuid: cycle.external_uuid }));
  const auditor = await service.keyOf(email('auditor'), 'auditor');
  expect((await service.decide(cycle, own, 'keep', { key: auditor.key })).status).toBe(403);
});

test("rejects an administrator's decision about their own access", async () => {
  const boss = await service.keyOf(email('boss'), 'admin');
  await service.sync([...world, { id: 'boss', email: email('boss') }]);
  const cycle = await service.start({ scope: { users: `user.email == '${email('boss')}'` } });
  const items = await service.items(cycle);
  const refused = await service.decide(cycle, items, 'keep', { key: boss.key });
  expect(refused).toMatchObject({ status: 403, body: { detail: 'You cannot review your own access.' } });
  expect((await service.decide(cycle, items, 'keep')).status).toBe(200);
});

test('returns 404 for items of another cycle and for unknown items', async () => {
  const cycle = await startOfAnn();
  const [other] = await service.items(await startOfAnn());
  const [item] = await service.items(cycle);
  for (const strange of [other, { id: randomUUID() }]) {
    expect((await service.decide(cycle, [item, strange], 'keep')).status).toBe(404);
  }
  expect((await service.decide(cycle, [{ id: item.id.toUpperCase() }, item], 'keep')).status).toBe(200);
  const body = { items: ['x'], decision: 'keep' };
  expect(
    (await service.call('POST', `/api/reviews/cycles/${cycle.external_uuid}/decisions/`, body)).status,
  ).toBe(400);
  expect((await service.call('POST', `/api/reviews/cycles/${randomUUID()}/decisions/`, body)).status).toBe(
    404,
  );
});

test('counts simultaneous decisions once each and completes the cycle with the last', async () => {
  const cycle = await startOfAnn();
  const [account, gold, blue, red] = await service.items(cycle);
  const answers = await Promise.all([
    service.decide(cycle, [account, gold], 'keep'),
    service.decide(cycle, [blue, red], 'keep', { key: bob.key }),
    service.decide(cycle, [gold, blue], 'revoke'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
  const revoked = await service.items(cycle, 'decision=revoke');
  expect(body).toMatchObject({ status: 'completed', progress: { decided: 4, revoked: revoked.length } });
  const removed = (await openTasks()).flatMap(({ changes }) =>
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
    Object.values(changes).flatMap((change: any) => change.removed.map(({ id }: { id: string }) => id)),
  );
  expect(removed.sort()).toEqual(revoked.map(({ resource }) => resource.id).sort());
});

test.each([
  ['keep', 'keep', []],
  // A license is kept, so the account stays.
  ['revoke', 'revoke', ['update_account']],
])(
  'decides undecided items of a due cycle with %s once, however many nodes close it',
  async (on_no_response, decision, actions) => {
    const cycle = await startOfAnn({ on_no_response });
    const [, gold] = await service.items(cycle);
    await service.decide(cycle, [gold], 'keep');
    const close = () => closeCycle(within(service.database.db, service.orgId), cycle.external_uuid);
    await close();
    expect(await service.items(cycle, 'decision=none')).toHaveLength(3);

    await service.makeDue();
    await Promise.all([close(), close(), close()]);
    const { body } = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
    expect(body).toMatchObject({ status: 'completed', progress: { decided: 4, undecided: 0 } });
    expect((await openTasks()).map(({ action }) => action)).toEqual(actions);
    const [account] = await service.items(cycle, 'kind=account');
    expect(account).toMatchObject({
      decision,
      decided_by: null,
      decided_at: body.completed_at && expect.any(String),
    });
    expect(await service.items(cycle, `kind=assignment`)).toMatchObject([
      { decision: 'keep', decided_by: {} },
    ]);
  },
);

test('accepts a late decision within the cooling-off of a missing response', async () => {
  const cycle = await startOfAnn({ on_no_response: 'revoke' });
  await service.makeDue();
  await closeCycle(within(service.database.db, service.orgId), cycle.external_uuid);
  expect(await openTasks()).toMatchObject([
    { creator: { external_uuid: service.adminId }, reason: expect.stringContaining('no reviewer responded') },
  ]);
  expect((await service.decide(cycle, await service.items(cycle), 'keep', { key: bob.key })).status).toBe(
    200,
  );
  expect(await openTasks()).toEqual([]);
});

test('counts the items of a list, with decisions and filters, as far as asked', async () => {
  const cycle = await startOfAnn();
  const [account, gold, blue] = await service.items(cycle);
  await service.decide(cycle, [gold], 'revoke');
  await service.decide(cycle, [account, blue], 'keep');
  await service.decide(cycle, [blue], 'revoke');
  const count = async (query: string) => {
    const path = `/api/reviews/cycles/${cycle.external_uuid}/items/?${query}`;
    const { count, more, results } = (await service.call('GET', path)).body;
    return [count, more, results.length];
  };

  expect(await count('')).toEqual([4, undefined, 4]);
  expect(await count('decision=none')).toEqual([1, undefined, 1]);
  expect(await count('decision=keep')).toEqual([1, undefined, 1]);
  expect(await count('decision=revoke')).toEqual([2, undefined, 2]);
  expect(await count('limit=1&offset=9')).toEqual([4, undefined, 0]);
  expect(await count('limit=1&count_to=2')).toEqual([4, false, 1]);
  expect(await count('kind=membership')).toEqual([2, undefined, 2]);
  expect(await count('kind=membership&limit=1&count_to=1')).toEqual([1, true, 1]);
});
