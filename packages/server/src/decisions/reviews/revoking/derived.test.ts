// @module-tag engine
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { eventsOf } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { closeCycle } from '../deciding/close.ts';

/** Reviews of access that something else gives (D68). */

let service: ReviewsTest;
const email = 'ann@acme.example';
const through = (id: string) => ({ slug: 'team', id });
const world = [
  {
    ...{ id: 'ann', email, memberships: { team: [{ id: 'red' }, { id: 'blue', via: through('red') }] } },
    assignments: { seat: [{ id: 'gold', via: through('blue') }] },
  },
];
beforeAll(async () => {
  service = await openReviewsTest(world);
  await service.call('POST', '/api/users/', { email });
});
afterAll(() => service.close());
afterEach(async () => {
  for (const { external_uuid } of await openTasks())
    await service.call('POST', `/api/tasks/${external_uuid}/cancel/`);
});

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
async function openTasks(): Promise<any[]> {
  const { body } = await service.call('GET', `/api/tasks/?app=${service.appId}&limit=200`);
  return body.results.filter(({ status }: { status: string }) => ['pending', 'scheduled'].includes(status));
}
const start = (settings: object = {}) =>
  service.start({ scope: { include: ['memberships', 'assignments'] }, ...settings });
/** The items of a cycle by the id of their group or license. */
async function itemsOf(cycle: { external_uuid: string }) {
  const items = await service.items(cycle);
  return Object.fromEntries(items.map((item) => [item.resource.id, item]));
}
const revoke = (cycle: { external_uuid: string }, items: { id: string }[], more: object = {}) =>
  service.call('POST', `/api/reviews/cycles/${cycle.external_uuid}/decisions/`, {
    items: items.map(({ id }) => id),
    decision: 'revoke',
    ...more,
  });
const withdraw = (cycle: { external_uuid: string }, items: { id: string }[]) =>
  service.call('POST', `/api/reviews/cycles/${cycle.external_uuid}/decisions/`, {
    items: items.map(({ id }) => id),
    decision: null,
  });
const close = async (cycle: { external_uuid: string }) => {
  await service.makeDue();
  await closeCycle(within(service.database.db, service.orgId), cycle.external_uuid);
};
const removals = async () => (await openTasks()).map(({ changes }) => changes);
const redOnly = { team: { added: [], removed: [{ id: 'red', name: 'Red' }] } };

test('an item names its giver, and a revocation alone is 409 with what to do', async () => {
  const cycle = await start();
  const { gold, red } = await itemsOf(cycle);
  expect(gold.context).toMatchObject({ via: { id: 'blue', name: 'Blue' }, source: { id: 'red' } });
  expect(red.context).toMatchObject({ via: null, source: null });

  const { status, body } = await revoke(cycle, [gold]);
  expect(status).toBe(409);
  expect(body.detail).toBe(
    "'Gold' cannot be removed by itself, because the account has it through 'Blue'. Remove 'Red' from the account instead, or change it in the app. Revoke it there with at_giver, or revoke that as well.",
  );
  expect(await itemsOf(cycle)).toMatchObject({ gold: { decision: null } });
});

test('is carried out at the giver if the reviewer chooses so', async () => {
  const cycle = await start();
  const { gold, blue } = await itemsOf(cycle);
  expect(await revoke(cycle, [gold, blue], { at_giver: true })).toMatchObject({ status: 200 });
  expect(await removals()).toEqual([redOnly]);
  const { gold: decided } = await itemsOf(cycle);
  expect(decided).toMatchObject({
    decision: 'revoke',
    revoked_at: { id: 'red', name: 'Red' },
    kept_by: null,
    task: { action: 'update_account' },
  });
  const { payload } = (await eventsOf(service, 'review.decided')).at(-1) ?? {};
  expect(payload.revoked_at).toMatchObject({ id: 'red' });

  // The other item of the task keeps the choice when it gets a task of its own.
  await withdraw(cycle, [blue]);
  expect(await removals()).toEqual([redOnly]);
  expect(await itemsOf(cycle)).toMatchObject({ gold: { revoked_at: { id: 'red' } } });
});

test('does not include access that somebody keeps, before or after', async () => {
  const cycle = await start();
  const { gold, blue } = await itemsOf(cycle);
  await service.decide(cycle, [blue], 'keep');
  const { email: by } = (await itemsOf(cycle)).blue.decided_by;
  const refused = await revoke(cycle, [gold], { at_giver: true });
  expect(refused.status).toBe(409);
  expect(refused.body.detail).toBe(
    `'Gold' cannot be removed by itself, because the account has it through 'Blue'. ${by} has decided to keep 'Blue', which would go with 'Red'. That decision has to change first.`,
  );
  await withdraw(cycle, [blue]);
  await revoke(cycle, [gold], { at_giver: true });
  expect(await removals()).toEqual([redOnly]);
  await service.decide(cycle, [blue], 'keep');
  expect(await removals()).toEqual([]);
  const { gold: stays } = await itemsOf(cycle);
  expect(stays).toMatchObject({
    ...{ decision: 'revoke', task: null, revoked_at: null, kept_by: { id: 'blue' } },
    kept_for: { id: 'blue', name: 'Blue', by: { email: by } },
    revocation: {
      state: 'not_possible',
      reason: `The account would also lose "Blue", which ${by} has decided to keep.`,
    },
  });
});

test('a person can revoke the source of what somebody keeps, before and after', async () => {
  const cycle = await start();
  const { red, blue, gold } = await itemsOf(cycle);
  await service.decide(cycle, [gold], 'keep');
  expect(await revoke(cycle, [red])).toMatchObject({ status: 200 });
  const [task] = await openTasks();
  await service.decide(cycle, [blue], 'keep');
  expect(await openTasks()).toMatchObject([{ external_uuid: task.external_uuid, changes: redOnly }]);

  // Access that is revoked with the source goes with it.
  expect(await revoke(cycle, [gold])).toMatchObject({ status: 200 });
  const tasks = await openTasks();
  expect(tasks).toMatchObject([{ changes: redOnly }, { changes: redOnly }]);
  await service.decide(cycle, [blue], 'keep', { comment: 'Needed' });
  expect(await openTasks()).toEqual(tasks);
});

test('silence does not include access that somebody keeps, and the plan of the cycle does not promise it', async () => {
  const cycle = await start({ on_no_response: 'revoke' });
  const { blue } = await itemsOf(cycle);
  await service.decide(cycle, [blue], 'keep');
  const plan = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/plan/`);
  expect(plan.body).toMatchObject({ count: 0, counts: { memberships: { removed: 0 } } });
  await close(cycle);

  expect(await removals()).toEqual([]);
  const { red, gold } = await itemsOf(cycle);
  const why = { state: 'not_possible', reason: expect.stringContaining('also lose "Blue"') };
  for (const item of [red, gold])
    expect(item).toMatchObject({ decision: 'revoke', task: null, revocation: why, kept_for: { id: 'blue' } });
  const { payload } =
    (await eventsOf(service, 'review.decided')).find(({ payload }) => payload.item_id === red.id) ?? {};
  expect(payload.kept_for).toMatchObject({ id: 'blue', by: { email: expect.any(String) } });
  const after = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/plan/`);
  expect(after.body).toMatchObject({ count: 0 });
});

test('a keep after silence saves what would go along, too', async () => {
  const cycle = await start({ on_no_response: 'revoke' });
  await close(cycle);
  expect(await removals()).toEqual([redOnly]);
  const { gold } = await itemsOf(cycle);
  await service.decide(cycle, [gold], 'keep');
  expect(await removals()).toEqual([]);
  const { red, blue } = await itemsOf(cycle);
  for (const item of [red, blue])
    expect(item).toMatchObject({ revocation: { state: 'not_possible' }, kept_for: { id: 'gold' } });
});

test.each([
  ['TIMEOUT', 'gold', 'red'],
  ['TIMEOUT', 'gold', 'blue'],
  ['PERMISSION_DENIED', 'gold', 'red'],
])(
  'a failed removal (%s) of what gives %s is not repeated after somebody keeps %s',
  async (code, gone, kept) => {
    const cycle = await start({ cooling_off_hours: 0 });
    const items = await itemsOf(cycle);
    await revoke(cycle, [items[gone]], { at_giver: true });
    const { task } = (await itemsOf(cycle))[gone];
    const error = { code, message: 'No.' };
    await service.bridge('GET', '/tasks/?status=pending');
    await service.bridge('PATCH', `/tasks/${task.external_uuid}/status/`, { status: 'failed', error });
    expect(await openTasks()).toHaveLength(code === 'TIMEOUT' ? 1 : 0);

    await service.decide(cycle, [items[kept]], 'keep');
    expect(await openTasks()).toEqual([]);
    expect(await itemsOf(cycle)).toMatchObject({
      [gone]: { task: null, revocation: { state: 'not_possible' }, kept_for: { id: kept } },
    });
    const retried = await service.call('POST', `/api/tasks/${task.external_uuid}/retry/`);
    expect(retried.status).toBe(409);
    if (code === 'TIMEOUT') return;
    expect(retried.body.detail).toContain('cannot be retried. The access review decision was changed.');
    const { explanation } = (await service.call('GET', `/api/tasks/${task.external_uuid}/`)).body;
    expect(explanation.advice).toBe(retried.body.detail.replace('This', 'The'));
    expect(await openTasks()).toEqual([]);
  },
);

test('a failed removal that a person decided is repeated', async () => {
  const cycle = await start({ cooling_off_hours: 0 });
  const { red, gold } = await itemsOf(cycle);
  await revoke(cycle, [red]);
  const { task } = (await itemsOf(cycle)).red;
  const error = { code: 'TIMEOUT', message: 'No.' };
  await service.bridge('GET', '/tasks/?status=pending');
  await service.bridge('PATCH', `/tasks/${task.external_uuid}/status/`, { status: 'failed', error });
  await service.decide(cycle, [gold], 'keep');
  expect(await removals()).toEqual([redOnly]);
});

test('goes with its source, if that is revoked as well', async () => {
  const cycle = await start();
  const { gold, red, blue } = await itemsOf(cycle);
  expect(await revoke(cycle, [gold, blue])).toMatchObject({ status: 409 });
  expect(await revoke(cycle, [gold, red])).toMatchObject({ status: 200 });
  expect(await removals()).toEqual([redOnly]);
  expect(await itemsOf(cycle)).toMatchObject({ gold: { revoked_at: { id: 'red' } } });
});

test('does not take a source away that is no longer revoked', async () => {
  const cycle = await start();
  const { gold, red } = await itemsOf(cycle);
  await revoke(cycle, [red]);
  await revoke(cycle, [gold]);
  expect(await removals()).toEqual([redOnly, redOnly]);
  // Both for a source that is undecided again and for one that is kept, and also if one task removes both.
  for (const decision of [null, 'keep']) {
    const address = `/api/reviews/cycles/${cycle.external_uuid}/decisions/`;
    await service.call('POST', address, { items: [red.id], decision });
    expect(await removals()).toEqual([]);
    expect(await itemsOf(cycle)).toMatchObject({
      gold: { decision: 'revoke', task: null, revoked_at: null, kept_by: { id: 'blue' } },
    });
    await service.decide(cycle, [gold], 'keep');
    await revoke(cycle, [gold, red]);
    expect(await removals()).toEqual([redOnly]);
  }
});

test('does not take a source away that somebody keeps', async () => {
  const cycle = await start();
  const { gold, red } = await itemsOf(cycle);
  await service.decide(cycle, [red], 'keep');
  const refused = await revoke(cycle, [gold], { at_giver: true });
  expect(refused.status).toBe(409);
  const { email: by } = (await itemsOf(cycle)).red.decided_by;
  expect(refused.body.detail).toBe(
    `'Gold' cannot be removed by itself, because the account has it through 'Blue'. ${by} has decided to keep 'Red'. That decision has to change first.`,
  );
  await withdraw(cycle, [red]);
  await revoke(cycle, [gold], { at_giver: true });
  expect(await removals()).toEqual([redOnly]);
  await service.decide(cycle, [red], 'keep');
  expect(await removals()).toEqual([]);
  expect(await itemsOf(cycle)).toMatchObject({ gold: { kept_by: { id: 'blue' }, revoked_at: null } });
});

test('a revocation that was not carried out can still be carried out at the giver', async () => {
  const cycle = await start({ on_no_response: 'revoke' });
  const { gold, red } = await itemsOf(cycle);
  await service.decide(cycle, [red], 'keep');
  await service.makeDue();
  await closeCycle(within(service.database.db, service.orgId), cycle.external_uuid);
  await revoke(cycle, [red]);
  expect(await revoke(cycle, [gold], { at_giver: true })).toMatchObject({ status: 200 });
  expect(await itemsOf(cycle)).toMatchObject({ gold: { kept_by: null, revoked_at: { id: 'red' } } });
});

test('without a response, it stays, and the item says why', async () => {
  const cycle = await start({ on_no_response: 'revoke' });
  const { red } = await itemsOf(cycle);
  await service.decide(cycle, [red], 'keep');
  const plan = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/plan/`);
  expect(plan.body.counts.memberships).toEqual({ removed: 0 });
  await service.makeDue();
  await closeCycle(within(service.database.db, service.orgId), cycle.external_uuid);

  expect(await removals()).toEqual([]);
  expect(await itemsOf(cycle)).toMatchObject({
    gold: { decision: 'revoke', task: null, revoked_at: null, kept_by: { id: 'blue' }, seen_gone: false },
  });
  expect((await itemsOf(cycle)).gold.revocation).toEqual({
    state: 'not_possible',
    reason: 'The account has the access through "Blue", which stays.',
  });
  const csv = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/evidence/?format=csv`);
  expect(csv.body).toContain('kept_by');
});

test('silence does not remove what gives the last membership of a group whose risk is high', async () => {
  const team = [
    { id: 'red', name: 'Red' },
    { id: 'blue', name: 'Blue', risk: 'high' },
  ];
  const bob = { id: 'bob', email: 'bob@acme.example', memberships: world[0]?.memberships };
  for (const accounts of [world, [...world, bob]]) {
    await service.sync(accounts, { team });
    const cycle = await start({ on_no_response: 'revoke', cooling_off_hours: 0 });
    await service.makeDue();
    await closeCycle(within(service.database.db, service.orgId), cycle.external_uuid);
    // Of several members, too, one stays at least. Otherwise, the removals of each would count on the others.
    expect((await removals()).length).toBeLessThan(accounts.length);
    expect(await service.items(cycle)).toContainEqual(
      expect.objectContaining({
        resource: expect.objectContaining({ id: 'red' }),
        revocation: { state: 'not_possible', reason: expect.stringContaining('last member of "Blue"') },
      }),
    );
  }
  await service.sync(world);
});

test('access that becomes derived before the task is due is not sent to the connector', async () => {
  const direct = [{ ...world[0], assignments: { seat: [{ id: 'gold' }] } }];
  await service.sync(direct);
  const cycle = await start({ cooling_off_hours: 1 });
  const { gold } = await itemsOf(cycle);
  await revoke(cycle, [gold]);
  await service.sync(world);
  await service.passTime(3601);
  const { task } = (await itemsOf(cycle)).gold;
  expect((await service.call('GET', `/api/tasks/${task.external_uuid}/`)).body).toMatchObject({
    status: 'cancelled',
    explanation: { happened: expect.stringContaining('because the account has it through "Blue"') },
  });
});
