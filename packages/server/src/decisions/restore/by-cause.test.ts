import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { momentBetween } from '#test/moments.ts';
import { eventsOf } from '#test/people.ts';
import { settle } from '#test/policies.ts';
import { inDays, openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
beforeEach(async () => {
  service = await openRequestsTest();
});
afterEach(() => service.close());

const GROUPS = { team: ['r1', 'r2', 'r3'].map((id) => ({ id, name: id })) };
const ada = (teams: string[], more = {}) => ({
  ...{
    id: 'ada',
    email: service.ada.email,
    status: 'active',
    memberships: { team: teams.map((id) => ({ id })) },
  },
  ...more,
});
const sync = (accounts: unknown[], groups: { team: unknown[] } = GROUPS) => service.sync(accounts, groups);
const get = (path: string) => service.call('GET', path);
const account = async () => (await service.accountByEmail(service.ada.email)).external_uuid;

/** A time at which two syncs show this access. */
async function seenWith(teams: string[], more = {}): Promise<string> {
  await sync([ada(teams, more)]);
  const at = await momentBetween(service.database.db);
  await sync([ada(teams, more)]);
  return at;
}

const restore = (as_of: string, more = {}) =>
  service.call('POST', '/api/restore/', { app: service.appId, as_of, ...more });

/** The plan of a restore. `of` has what is missing, by group. */
async function planned(as_of: string, more = {}) {
  const { status, body } = await restore(as_of, more);
  expect([status, body.detail]).toEqual([200, undefined]);
  type Row = { id: string; included: boolean };
  const resources: Row[] = body.results.flatMap((item: { resources: Row[] }) => item.resources);
  return { ...body, of: Object.fromEntries(resources.map((one) => [one.id, one])) };
}

const included = (of: Record<string, { included: boolean }>) =>
  Object.keys(of).filter((id) => of[id]?.included);

/** A review in which somebody revokes a group. Returns the item. */
async function revoke(group: string, cooling_off_hours = 0): Promise<string> {
  const { body: campaign } = await service.call('POST', '/api/reviews/', {
    name: 'Quarterly',
    cooling_off_hours,
  });
  const { body: cycle } = await service.call('POST', `/api/reviews/${campaign.external_uuid}/start/`);
  const address = `/api/reviews/cycles/${cycle.external_uuid}`;
  const items = (await get(`${address}/items/?limit=200`)).body.results;
  const { id } = items.find(({ resource }: { resource: { id: string } | null }) => resource?.id === group);
  const { status } = await service.call('POST', `${address}/decisions/`, { items: [id], decision: 'revoke' });
  expect(status).toBe(200);
  return id;
}

/** A policy that removes a group from people who move. Returns its id. */
async function revokeByPolicy(group: string, more = {}): Promise<string> {
  const { body } = await service.call('POST', '/api/policies/', {
    ...{
      name: 'Movers',
      trigger: 'user.updated',
      condition: `user.attributes.team == 'sales'`,
      enabled: true,
    },
    effects: [{ do: 'revoke', app: service.appId, memberships: { team: [group] } }],
    ...more,
  });
  await service.call('PATCH', `/api/users/${service.ada.id}/`, { attributes: { team: 'sales' } });
  await settle(service.database.db);
  return body.external_uuid;
}

const request = (group: string, more = {}) =>
  service.approved({ user: service.ada.id, type: 'MODIFY_ACCESS', memberships: { team: [group] }, ...more });

const byHand = async (body: object): Promise<string> => {
  const { status, body: task } = await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, account: await account(), reason: 'Misuse' },
    ...body,
  });
  expect([status, task.detail]).toEqual([201, undefined]);
  return task.external_uuid;
};

/** Carries out all tasks. A new account gets the id of the former one. */
async function work(): Promise<void> {
  for (;;) {
    const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
    if (tasks.length === 0) return;
    for (const { id } of tasks)
      await service.bridge('PATCH', `/tasks/${id}/status/`, {
        status: 'completed',
        result: { account: { id: 'ada' } },
      });
  }
}

const tasks = async (query: string) => (await get(`/api/tasks/?app=${service.appId}&${query}`)).body.results;

test('what decisions took away is listed apart and left out, also if a sync lost it first (G1)', async () => {
  await sync([ada(['r1', 'r3'])]);
  const ticket = await request('r2', { end_time: inDays(10) });
  await work();
  const at = await seenWith(['r1', 'r2', 'r3']);
  const [item, policy] = [await revoke('r1'), await revokeByPolicy('r3')];
  await service.passTime(10 * 86_400 + 60);
  const denied = await service.ask(
    { user: service.ada.id, type: 'MODIFY_ACCESS', memberships: { team: ['r1'] } },
    service.ada,
  );
  await service.act(denied.body.external_uuid, 'deny', { override: true, comment: 'No' });
  await sync([]);

  const { of, results, counts } = await planned(at);
  expect(results).toMatchObject([{ action: 'create_account', included: true, lost_by: null, ends_at: null }]);
  expect(counts).toMatchObject({ create_account: 1, groups: 0, decided: 3, left_out: 0 });
  const decided = { included: false, certainty: 'certain' };
  expect(of).toMatchObject({
    r1: {
      ...decided,
      lost_by: { kind: 'review', external_uuid: item, label: 'Quarterly', decided_by: service.adminId },
    },
    r2: {
      ...{ ...decided, ends_at: expect.any(String) },
      lost_by: { kind: 'end', external_uuid: ticket.external_uuid, label: ticket.label },
    },
    r3: { ...decided, lost_by: { kind: 'policy', external_uuid: policy, label: 'Movers', decided_by: null } },
  });
  expect(of.r1.lost_by.at).toEqual(expect.stringMatching(/^20.*Z$/));

  const single = { account: await account(), slug: 'team', resource: 'r1' };
  expect(included((await planned(at, { include_decided: [policy] })).of)).toEqual(['r3']);
  expect(included((await planned(at, { include_decided: true })).of)).toEqual(['r1', 'r3']);
  expect(included((await planned(at, { items: [single] })).of)).toEqual(['r1']);
  for (const [more, field] of [
    [{ items: [{ ...single, resource: 'r2' }] }, 'items'],
    [{ items: [{ ...single, resource: 'none' }] }, 'items'],
    [{ items: [{ ...single, account: service.ada.id }] }, 'items'],
    [{ include_decided: [service.ada.id] }, 'include_decided'],
  ] as const)
    expect(await restore(at, more)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(field) },
    });
  expect((await restore(at, { items: [{ account: await account(), slug: 'team' }] })).status).toBe(400);

  const done = await restore(at, { items: [single], dry_run: false });
  expect(done).toMatchObject({ status: 200, body: { counts: { groups: 1 }, tasks: [expect.any(String)] } });
  await work();
  expect(await service.has(service.ada.id)).toEqual(['team:r1']);
  // The other decisions still hold.
  await sync([ada(['r1', 'r2', 'r3'])]);
  await work();
  expect(await service.has(service.ada.id)).toEqual(['team:r1']);
});

describe('temporary access', () => {
  test('that was lost by mistake returns with its end, which stays planned', async () => {
    await sync([ada([])]);
    await request('r2', { end_time: inDays(10) });
    await work();
    const at = await seenWith(['r2']);
    const [end] = await tasks('status=scheduled');
    await sync([ada([])]);
    const { of, counts, plan } = await planned(at);
    expect(of).toMatchObject({ r2: { included: true, lost_by: null, ends_at: end.execute_after } });
    expect(counts).toMatchObject({ update_account: 1, groups: 1, decided: 0 });

    expect((await restore(at, { dry_run: false, plan })).status).toBe(200);
    expect((await get(`/api/grants/?kind=restore`)).body.results).toMatchObject([
      { resource: 'r2', ends_at: end.execute_after, source: { external_uuid: plan } },
    ]);
    expect(
      (await tasks('status=scheduled')).map((task: { external_uuid: string }) => task.external_uuid),
    ).toEqual([end.external_uuid]);
    await work();
    expect(await service.has(service.ada.id)).toEqual(['team:r2']);
    await service.passTime(10 * 86_400 + 60);
    await work();
    expect(await service.has(service.ada.id)).toEqual([]);
  });

  test('returns with its end in a new account, and other access without', async () => {
    await sync([ada(['r1'])]);
    await request('r2', { end_time: inDays(10) });
    await work();
    const at = await seenWith(['r1', 'r2']);
    await byHand({ action: 'delete_account' });
    await work();

    const { results, plan } = await planned(at, { include_decided: true });
    expect(results).toMatchObject([
      { included: true, lost_by: { kind: 'manual', decided_by: service.adminId } },
    ]);
    await restore(at, { include_decided: true, dry_run: false, plan });
    const grants = (await get('/api/grants/?kind=restore')).body.results;
    const ends = grants.map(({ resource, ends_at }: { resource: string; ends_at: string }) => [
      resource,
      ends_at,
    ]);
    expect(Object.fromEntries(ends)).toEqual({ null: null, r1: null, r2: expect.any(String) });
    await work();
    await service.passTime(10 * 86_400 + 60);
    await work();
    expect(await service.has(service.ada.id)).toEqual(['team:r1']);
  });
});

test('an open revocation, a delayed removal and a planned end stay as they are', async () => {
  await sync([ada(['r1', 'r3'])]);
  await request('r2', { end_time: inDays(3) });
  await work();
  const at = await seenWith(['r1', 'r2', 'r3']);
  await revoke('r1', 48);
  await revokeByPolicy('r3', { delay: 'P2D' });
  const planned_ends = (await tasks('status=scheduled')).length;
  expect(planned_ends).toBe(3);
  await sync([]);

  const { of } = await planned(at);
  expect(included(of)).toEqual(['r1', 'r2', 'r3']);
  await restore(at, { dry_run: false });
  await work();
  expect(await tasks('status=scheduled')).toHaveLength(3);
  expect(await service.has(service.ada.id)).toEqual(['team:r1', 'team:r2', 'team:r3']);
  await service.passTime(4 * 86_400);
  await work();
  expect(await service.has(service.ada.id)).toEqual([]);
});

test('access that a later decision gave and a sync lost is lost by mistake', async () => {
  const at = await seenWith(['r1']);
  await byHand({ action: 'update_account', changes: { team: { removed: ['r1'] } } });
  await work();
  expect((await planned(at)).of).toMatchObject({ r1: { included: false, lost_by: { kind: 'manual' } } });
  const end_time = inDays(5);
  await request('r1', { end_time });
  await work();
  await sync([ada(['r1'])]);
  await sync([ada([])]);
  expect((await planned(at)).of).toMatchObject({
    r1: { included: true, lost_by: null, ends_at: new Date(end_time).toISOString() },
  });
});

test('a canceled removal took nothing away, and a failed one did', async () => {
  const at = await seenWith(['r1', 'r2']);
  const inADay = { execute_after: inDays(1), action: 'update_account' };
  const canceled = await byHand({ ...inADay, changes: { team: { removed: ['r1'] } } });
  await service.call('POST', `/api/tasks/${canceled}/cancel/`);
  const failed = await byHand({ action: 'update_account', changes: { team: { removed: ['r2'] } } });
  await service.bridge('GET', '/tasks/?status=pending');
  const error = { code: 'PERMISSION_DENIED', message: 'No' };
  await service.bridge('PATCH', `/tasks/${failed}/status/`, { status: 'failed', error });
  await sync([ada([])]);
  expect((await planned(at)).of).toMatchObject({
    r1: { included: true, lost_by: null },
    r2: { included: false, lost_by: { kind: 'manual', external_uuid: failed } },
  });
});

test('a suspension by a decision is left out, and one that a sync found is not', async () => {
  const at = await seenWith([]);
  await sync([ada([], { status: 'suspended' })]);
  expect(await planned(at)).toMatchObject({
    results: [{ action: 'unsuspend_account', included: true, lost_by: null }],
  });
  await sync([ada([])]);
  const task = await byHand({ action: 'suspend_account' });
  await work();
  expect(await planned(at)).toMatchObject({
    counts: { unsuspend_account: 0, decided: 1 },
    results: [
      {
        ...{ action: 'unsuspend_account', included: false },
        lost_by: { kind: 'manual', external_uuid: task, label: 'Misuse', decided_by: service.adminId },
      },
    ],
  });
  const items = [{ account: await account(), slug: null, resource: null }];
  expect((await planned(at, { items })).counts).toMatchObject({ unsuspend_account: 1, decided: 0 });
});

test('an account that two decisions suspend comes back if both are chosen', async () => {
  const at = await seenWith([]);
  const task = await byHand({ action: 'suspend_account' });
  await work();
  const policy = await revokeByPolicy('r1', { effects: [{ do: 'suspend', app: service.appId }] });
  const included = async (include_decided: string[]) =>
    (await planned(at, { include_decided })).results[0].included;
  expect(await included([policy])).toBe(false);
  expect(await included([task])).toBe(false);
  expect(await included([policy, task])).toBe(true);
});

test('an account that was suspended then and is gone now, and a group with another name, cannot come back', async () => {
  const suspended = await seenWith(['r1'], { status: 'suspended' });
  await sync([ada(['r1', 'r2'])]);
  const at = await seenWith(['r1', 'r2']);
  const renamed = { team: [{ id: 'r1', name: 'Payments' }, ...GROUPS.team.slice(1)] };
  await sync([ada([])], renamed);
  expect(await planned(at)).toMatchObject({
    ...{ of: { r2: { included: true } }, counts: { groups: 1, skipped: 1 } },
    skipped: [{ reason: expect.stringContaining('another name') }],
  });
  await sync([], renamed);
  expect(await planned(suspended)).toMatchObject({
    ...{ results: [], counts: { skipped: 1 } },
    skipped: [{ reason: expect.stringContaining('was suspended then') }],
  });
});

test('says in the log how much of it decisions had taken away', async () => {
  const at = await seenWith(['r1', 'r2']);
  await byHand({ action: 'update_account', changes: { team: { removed: ['r1', 'r2'] } } });
  await work();
  const single = { account: await account(), slug: 'team', resource: 'r1' };
  await restore(at, { items: [single], dry_run: false });
  expect((await eventsOf(service, 'restore.created')).at(-1)).toMatchObject({
    payload: { groups: 1, decided: 1 },
  });
});
