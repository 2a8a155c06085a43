// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { closeCycle } from '../deciding/close.ts';

/* Accounts and groups that a review must not take away, or not by silence (D66). */

const ADMINS = { id: 'admin', name: 'Admins', risk: 'high' };
const TEAMS = [ADMINS, { id: 'staff', name: 'Staff' }, { id: 'ops', name: 'Ops', risk: 'high' }];
const account = (id: string, teams: string[] = [], more = {}) => ({
  id,
  email: `${id}@acme.example`,
  memberships: { team: teams.map((team) => ({ id: team })) },
  ...more,
});
const bind = account('bind', [], { is_own: true });

let service: ReviewsTest;
beforeAll(async () => {
  service = await openReviewsTest();
});
afterAll(() => service.close());

const push = (accounts: unknown[], team: unknown[] = TEAMS) => service.sync(accounts, { team });
const close = async (cycle: { external_uuid: string }) => {
  await service.makeDue();
  await closeCycle(within(service.database.db, service.orgId), cycle.external_uuid);
  return (await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`)).body;
};
const BY_SILENCE = { on_no_response: 'revoke', cooling_off_hours: 0 };
/** Reports every pending task as completed, until none are left. Returns what the connector was asked to do. */
async function work(): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
    if (tasks.length === 0) return done.sort();
    for (const { id, action, payload } of tasks) {
      done.push(`${action} ${payload.account.id}`);
      await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
    }
  }
}
const byAccount = async (cycle: { external_uuid: string }, id: string) =>
  (await service.items(cycle)).filter((item) => item.account.email === `${id}@acme.example`);

test('silence does not delete the account of the connector, and the item says why', async () => {
  await push([bind, account('orphan')]);
  const cycle = await service.start({ ...BY_SILENCE, scope: { include: ['accounts'] } });
  const closed = await close(cycle);
  expect(await work()).toEqual(['delete_account orphan']);
  const [item] = await byAccount(cycle, 'bind');
  expect(item).toMatchObject({
    decision: 'revoke',
    task: { status: 'cancelled' },
    context: { is_own: true },
    revocation: { state: 'not_possible', reason: expect.stringContaining('signs in with this account') },
  });
  expect(closed.progress).toMatchObject({ revoked: 2 });
  const { progress } = (await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`)).body;
  expect(progress.revocations).toEqual({ waiting: 0, carried_out: 1, failed: 0, not_possible: 1 });
});

test.each(['delete', 'suspend'])(
  'a person cannot %s the account of the connector in a review',
  async (by) => {
    await push([bind]);
    const cycle = await service.start({ revoke_account_by: by, scope: { include: ['accounts'] } });
    const items = await byAccount(cycle, 'bind');
    const refused = await service.decide(cycle, items, 'revoke');
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain('signs in with the account bind@acme.example');
    expect((await service.decide(cycle, items, 'keep')).status).toBe(200);
  },
);

test.each(['delete_account', 'suspend_account'])('an administrator gets 409 for %s on it', async (action) => {
  await push([bind]);
  const { external_uuid } = await service.accountByEmail('bind@acme.example');
  const refused = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action,
    account: external_uuid,
  });
  expect(refused.status).toBe(409);
  expect(refused.body.detail).toContain('signs in with this account');
});

test('a deletion that was scheduled before the account was known as its own is canceled, and one that is pending, too', async () => {
  await push([account('later'), account('sooner')]);
  const make = async (name: string, executeAfter: string | null) => {
    const { external_uuid } = await service.accountByEmail(`${name}@acme.example`);
    const body = { app: service.appId, action: 'delete_account', account: external_uuid };
    const made = await service.call('POST', '/api/tasks/', { ...body, execute_after: executeAfter });
    return made.body.external_uuid as string;
  };
  const tasks = [
    await make('later', new Date(Date.now() + 86_400_000).toISOString()),
    await make('sooner', null),
  ];
  await push([account('later', [], { is_own: true }), account('sooner', [], { is_own: true })]);
  await service.passTime(2 * 86_400);
  expect(await work()).toEqual([]);
  for (const id of tasks)
    expect((await service.call('GET', `/api/tasks/${id}/`)).body).toMatchObject({ status: 'cancelled' });
});

test('shows the mark, and drops it when the connector signs in with another account', async () => {
  await push([bind]);
  expect(await service.accountByEmail('bind@acme.example')).toMatchObject({ is_own: true });
  await push([account('bind')]);
  expect(await service.accountByEmail('bind@acme.example')).not.toHaveProperty('is_own');
});

test('silence never empties a group whose risk is high; of several members, the last one stays', async () => {
  await push([account('a1', ['admin', 'staff']), account('a2', ['admin']), account('a3', ['admin'])]);
  const cycle = await service.start({ ...BY_SILENCE, scope: { include: ['memberships'] } });
  await close(cycle);
  await work();
  const { results } = (await service.call('GET', `/api/accounts/?app=${service.appId}`)).body;
  const admins = results.filter(({ memberships }: { memberships: { team?: { id: string }[] } }) =>
    memberships.team?.some(({ id }) => id === 'admin'),
  );
  expect(admins).toHaveLength(1);
  const kept = (await service.items(cycle)).filter(({ revocation }) => revocation.state === 'not_possible');
  expect(kept).toHaveLength(1);
  expect(kept[0].revocation.reason).toContain('last member of "Admins"');
  // Other groups are removed.
  const [staff] = (await service.items(cycle)).filter(({ resource }) => resource?.id === 'staff');
  expect(staff.revocation).toEqual({ state: 'carried_out', reason: null });
});

test('silence does not delete the account of the last member; a person can', async () => {
  await push([account('only', ['ops']), account('other', ['staff'])]);
  const scope = { include: ['accounts'] };
  const cycle = await service.start({ ...BY_SILENCE, scope });
  await close(cycle);
  expect(await work()).toEqual(['delete_account other']);
  const [item] = await byAccount(cycle, 'only');
  expect(item.revocation.reason).toContain('a person has to remove it');

  const byPerson = await service.start({ name: 'Again', cooling_off_hours: 0, scope });
  const items = await byAccount(byPerson, 'only');
  expect((await service.decide(byPerson, items, 'revoke')).status).toBe(200);
  expect(await work()).toEqual(['delete_account only']);
});

test('silence about an account that must stay removes its other groups all the same', async () => {
  await push([
    account('bind', ['staff'], { is_own: true }),
    account('only', ['ops', 'staff']),
    account('other', ['staff']),
  ]);
  const cycle = await service.start({ ...BY_SILENCE, scope: { include: ['accounts', 'memberships'] } });
  await close(cycle);
  const states = async (id: string) =>
    Object.fromEntries(
      (await byAccount(cycle, id)).map(({ resource, revocation }) => [
        resource?.id ?? 'account',
        revocation.state,
      ]),
    );
  expect(await states('other')).toEqual({ account: 'waiting', staff: 'waiting' });
  const { progress } = (await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`)).body;
  expect(progress.revocations).toEqual({ waiting: 5, carried_out: 0, failed: 0, not_possible: 2 });
  expect(await work()).toEqual(['delete_account other', 'update_account bind', 'update_account only']);
  expect(await states('bind')).toEqual({ account: 'not_possible', staff: 'carried_out' });
  expect(await states('only')).toEqual({
    account: 'not_possible',
    ops: 'not_possible',
    staff: 'carried_out',
  });
  expect(await states('other')).toEqual({ account: 'carried_out', staff: 'carried_out' });
});

test('silence does not delete an account of which a person keeps a group', async () => {
  await push([account('kept', ['staff', 'ops']), account('spare', ['ops'])]);
  const cycle = await service.start({ ...BY_SILENCE, scope: { include: ['accounts', 'memberships'] } });
  const ofStaff = async () =>
    (await byAccount(cycle, 'kept')).filter(({ resource }) => resource?.id === 'staff');
  expect((await service.decide(cycle, await ofStaff(), 'keep')).status).toBe(200);
  const plan = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/plan/`);
  expect(plan.body.counts).toMatchObject({ accounts: { removed: 1 }, memberships: { removed: 2 } });
  await close(cycle);
  expect(await work()).toEqual(['update_account kept']);
  const [{ decided_by: by }] = await ofStaff();
  const revoked = (await byAccount(cycle, 'kept')).filter(({ decision }) => decision === 'revoke');
  expect(revoked.find(({ kind }) => kind === 'account')).toMatchObject({
    task: null,
    kept_for: { id: 'staff', by: { email: by.email } },
    revocation: {
      state: 'not_possible',
      reason: `The account would also lose "Staff", which ${by.email} has decided to keep.`,
    },
  });
  expect(revoked.find(({ kind }) => kind === 'membership')).toMatchObject({
    revocation: { state: 'carried_out' },
  });
});

test('a keep after silence saves the account, but not its other groups', async () => {
  await push(
    [account('late', ['staff', 'guests']), account('spare')],
    [...TEAMS, { id: 'guests', name: 'Guests' }],
  );
  const scope = { include: ['accounts', 'memberships'] };
  const cycle = await service.start({ ...BY_SILENCE, cooling_off_hours: 1, scope });
  await close(cycle);
  const staff = (await byAccount(cycle, 'late')).filter(({ resource }) => resource?.id === 'staff');
  expect((await service.decide(cycle, staff, 'keep')).status).toBe(200);
  await service.passTime(3601);
  expect(await work()).toEqual(['delete_account spare', 'update_account late']);
});

test.each(['delete', 'suspend'])(
  'a pending %s of what has become the last member is canceled, if nobody decided it',
  async (by) => {
    await push([account('first', ['ops', 'staff']), account('second', ['ops'])]);
    const scope = { include: by === 'delete' ? ['accounts', 'memberships'] : ['accounts'] };
    const cycle = await service.start({ ...BY_SILENCE, revoke_account_by: by, scope });
    const second = await byAccount(cycle, 'second');
    expect((await service.decide(cycle, second, 'keep')).status).toBe(200);
    await close(cycle);
    await push([account('first', ['ops', 'staff'])]);
    expect(await work()).toEqual(by === 'delete' ? ['update_account first'] : []);
    const states = (await byAccount(cycle, 'first')).map(({ resource, revocation }) => [
      resource?.id ?? 'account',
      revocation.state,
    ]);
    expect(Object.fromEntries(states)).toEqual({
      account: 'not_possible',
      ...(by === 'delete' && { ops: 'not_possible', staff: 'carried_out' }),
    });
  },
);

test('a suspended member does not keep a group from being empty', async () => {
  await push([account('active', ['ops']), account('asleep', ['ops'], { status: 'suspended' })]);
  const cycle = await service.start({ ...BY_SILENCE, scope: { include: ['memberships'] } });
  await close(cycle);
  await work();
  const [item] = await byAccount(cycle, 'active');
  expect(item.revocation.state).toBe('not_possible');
});

test('tells decided, carried out, failed and not possible apart', async () => {
  await push(
    [account('p1', ['staff']), account('p2', ['staff']), account('p3', ['gone']), account('p4', ['staff'])],
    [...TEAMS, { id: 'gone', name: 'Old name' }],
  );
  const cycle = await service.start({ cooling_off_hours: 0, scope: { include: ['memberships'] } });
  await push(
    [account('p1', ['staff']), account('p2', ['staff']), account('p3', ['new']), account('p4', ['staff'])],
    [...TEAMS, { id: 'new', name: 'New name' }],
  );
  for (const name of ['p1', 'p2', 'p3', 'p4'])
    expect((await service.decide(cycle, await byAccount(cycle, name), 'revoke')).status).toBe(200);
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  for (const { id, payload } of tasks) {
    const error = { code: 'PERMISSION_DENIED', message: 'No.' };
    if (payload.account.id === 'p1')
      await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
    if (payload.account.id === 'p2')
      await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'failed', error });
  }
  const { progress } = (await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`)).body;
  expect(progress).toMatchObject({
    decided: 4,
    revoked: 4,
    revocations: { waiting: 1, carried_out: 1, failed: 1, not_possible: 1 },
  });
  const [vanished] = await byAccount(cycle, 'p3');
  expect(vanished.revocation).toEqual({
    state: 'not_possible',
    reason: '"Old name" no longer exists in Payroll. The access may go on under another name.',
  });
});

test('says before a review opens what must not go, and what nobody can decide', async () => {
  await push([bind, account('sole', ['ops']), account('plain')]);
  const { id: reviewer } = await service.keyOf('reviewer@acme.example');
  const campaign = await service.campaign({
    ...BY_SILENCE,
    scope: { include: ['accounts'] },
    reviewer: [reviewer],
  });
  const { body } = await service.call('GET', `/api/reviews/${campaign}/preview/`);
  expect(body).toMatchObject({
    items: 3,
    cannot_sign_in: [{ email: 'reviewer@acme.example' }],
    without_reviewer: 3,
    own_accounts: { count: 1, results: [{ account: 'bind@acme.example', app: 'Payroll', groups: [] }] },
    last_members: { count: 1, results: [{ account: 'sole@acme.example', groups: ['Ops'] }] },
  });
  const unnamed = await service.campaign({ ...BY_SILENCE, scope: { include: ['accounts'] } });
  expect((await service.call('GET', `/api/reviews/${unnamed}/preview/`)).body).toMatchObject({
    without_reviewer: 3,
  });
});

test('says before a review opens which groups silence would leave with one member', async () => {
  const gone = account('asleep', ['admin'], { status: 'suspended' });
  await push([account('b1', ['admin']), account('b2', ['admin', 'staff']), account('sole', ['ops']), gone]);
  const oneStays = async (scope: object) => {
    const campaign = await service.campaign({ ...BY_SILENCE, scope });
    return (await service.call('GET', `/api/reviews/${campaign}/preview/`)).body.one_stays;
  };
  const admins = { count: 1, results: [{ group: 'Admins', app: 'Payroll', members: 2 }] };
  expect(await oneStays({ include: ['memberships'] })).toMatchObject(admins);
  expect(await oneStays({ include: ['accounts'] })).toMatchObject(admins);
  expect(await oneStays({ include: ['assignments'] })).toMatchObject({ count: 0 });

  // The account of the connector stays anyway.
  await push([account('b1', ['admin']), account('bind', ['admin'], { is_own: true })]);
  expect(await oneStays({ include: ['accounts'] })).toMatchObject({ count: 0 });
  expect(await oneStays({ include: ['memberships'] })).toMatchObject(admins);
});

test('lists which reviewers of an open cycle cannot sign in', async () => {
  await push([account('plain')]);
  const { id } = await service.keyOf('absent@acme.example');
  const cycle = await service.start({ scope: { include: ['accounts'] }, reviewer: [id] });
  const { body } = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/reviewers/`);
  expect(body.results).toMatchObject([{ reviewer: { external_uuid: id }, cannot_sign_in: true }]);
});
