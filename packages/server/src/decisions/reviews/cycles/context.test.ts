import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { signInAs } from '#test/sign-in.ts';
import { addSyncedApp, type SyncedApp } from '#test/sync.ts';

let service: ReviewsTest;
let app: SyncedApp;
const people: Record<string, string> = {};
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const email = (name: string) => `${name}@context.example`;
const SALES = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay'];

beforeEach(async () => {
  service = await openReviewsTest();
  const person = async (name: string, more: object = {}) => {
    const { body } = await service.call('POST', '/api/users/', { email: email(name), ...more });
    people[name] = body.external_uuid;
  };
  await person('boss');
  for (const name of SALES)
    await person(name, { manager: people.boss, attributes: { department: 'Sales', title: name } });
  await person('kim', { manager: people.boss, attributes: { department: 'Legal' } });
  await person('left', { attributes: { department: 'Sales' } });
  await service.call('POST', `/api/users/${people.left}/deactivate/`);
  app = await addSyncedApp(service);
  const bot = (name: string, days: number, ...teams: string[]) => ({
    id: name,
    email: email(name),
    last_sign_in_at: ago(days),
    memberships: { team: teams.map((id) => ({ id })) },
  });
  await app.sync({
    team: [
      { id: 'crm', name: 'CRM users', description: 'Reads customers', risk: 'low' },
      { id: 'root', name: 'Root' },
    ],
    bot: [
      ...SALES.slice(1).map((name) => bot(name, 200, 'crm')),
      bot('ann', 2, 'crm'),
      bot('kim', 2, 'root'),
      bot('left', 10, 'crm'),
    ],
  });
});
afterEach(() => service.close());

const contextOf = async (cycle: { external_uuid: string }, ids: string[], key = service.key) =>
  service.call(
    'GET',
    `/api/reviews/cycles/${cycle.external_uuid}/items/context/?items=${ids.join(',')}`,
    undefined,
    {
      key,
    },
  );

async function open(settings: object = {}) {
  const cycle = await service.start({ scope: { apps: [app.id], include: ['memberships'] }, ...settings });
  const items = await service.items(cycle);
  const of = (name: string) => items.find((item) => item.account.email === email(name));
  return { cycle, items, of };
}

test('counts the active peers who have the same access, without the person and without small groups', async () => {
  const { cycle, items, of } = await open();
  const { status, body } = await contextOf(
    cycle,
    items.map(({ id }) => id),
  );
  expect(status).toBe(200);
  const context = (name: string) => body.results.find((one: { item: string }) => one.item === of(name).id);
  expect(context('ann')).toEqual({
    item: of('ann').id,
    description: 'Reads customers',
    person_left: false,
    unused_days: 2,
    granted: { at: of('ann').context.since, found: true, grants: [] },
    peers: [
      { group: 'manager', name: null, of: 6, have: 5 },
      { group: 'department', name: 'Sales', of: 5, have: 5 },
    ],
    prior: [],
    deviations: [],
    recommendation: { decision: 'keep', reasons: ['most_peers'] },
  });
  expect(context('kim')).toMatchObject({
    peers: [{ group: 'manager', of: 6, have: 0 }],
    deviations: ['few_peers'],
    recommendation: null,
  });
  expect(context('bob').deviations).toEqual(['not_used']);
  expect(context('bob').recommendation).toEqual({ decision: 'revoke', reasons: ['not_used'] });
  // Those who left are not peers, and are compared with the active people of their group.
  expect(context('left')).toMatchObject({
    person_left: true,
    peers: [{ group: 'department', of: 6, have: 6 }],
    deviations: ['person_left'],
    recommendation: { decision: 'revoke', reasons: ['person_left'] },
  });
  expect(JSON.stringify(context('ann'))).not.toContain('@');
});

test('counts accounts of peers for an item of an account', async () => {
  const { cycle, of } = await open({ scope: { apps: [app.id], include: ['accounts'] } });
  const { body } = await contextOf(cycle, [of('kim').id]);
  expect(body.results[0].peers).toEqual([{ group: 'manager', name: null, of: 6, have: 6 }]);
});

test('shows earlier decisions on the same access, and no recommendation for a decided item', async () => {
  const first = await open({ name: 'First' });
  await service.decide(first.cycle, [first.of('kim')], 'keep', { comment: 'On call' });
  const second = await open({ name: 'Second' });
  const [context] = (await contextOf(second.cycle, [second.of('kim').id])).body.results;
  expect(context.prior).toEqual([
    {
      campaign: 'First',
      cycle_id: first.cycle.external_uuid,
      decision: 'keep',
      decided_by: expect.objectContaining({ email: expect.any(String) }),
      decided_at: expect.any(String),
    },
  ]);
  await service.decide(second.cycle, [second.of('bob')], 'keep');
  const [decided] = (await contextOf(second.cycle, [second.of('bob').id])).body.results;
  expect(decided.recommendation).toBeNull();
  // The second decision came later than the first item's own.
  const [earlier] = (await contextOf(first.cycle, [first.of('kim').id])).body.results;
  expect(earlier.prior).toEqual([]);
});

test('shows a reviewer the context of their own items only', async () => {
  const boss = await service.keyOf(email('boss'));
  const { cycle, items, of } = await open();
  const ids = items.map(({ id }) => id);
  const seen = (await contextOf(cycle, ids, boss.key)).body.results.map((one: { item: string }) => one.item);
  expect(seen.sort()).toEqual([...SALES, 'kim'].map((name) => of(name).id).sort());
  const kim = await service.keyOf(email('kim'));
  expect((await contextOf(cycle, ids, kim.key)).status).toBe(403);
});

test('names the administrator who granted access', async () => {
  await service.sync([{ id: 'zoe', email: email('zoe') }]);
  const { body } = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    account: (await service.accountByEmail(email('zoe'))).external_uuid,
    action: 'update_account',
    changes: { team: { added: ['blue'] } },
    reason: 'By phone',
  });
  await service.bridge('PATCH', `/tasks/${body.external_uuid}/status/`, { status: 'completed' });
  const { cycle, items } = await open({ scope: { apps: [service.appId], include: ['memberships'] } });
  const [context] = (await contextOf(cycle, [items[0].id])).body.results;
  expect(context).toMatchObject({
    unused_days: null,
    peers: [],
    granted: {
      found: false,
      grants: [{ kind: 'manual', label: 'By phone', decided_by: { email: expect.stringContaining('@') } }],
    },
  });
});

test('rejects more than 100 items and malformed ids, and leaves out unknown ones', async () => {
  const { cycle, items } = await open();
  const id = items[0].id;
  expect((await contextOf(cycle, Array(101).fill(id))).status).toBe(400);
  expect((await contextOf(cycle, ['x'])).status).toBe(400);
  expect((await contextOf(cycle, [cycle.external_uuid])).body.results).toEqual([]);
});

test('finds items by person and by group, and lists them by group', async () => {
  const { cycle, of } = await open();
  const found = async (query: string) => (await service.items(cycle, query)).map(({ id }) => id);
  expect(await found('q=ROOT')).toEqual([of('kim').id]);
  expect(await found(`q=${encodeURIComponent('kim@')}`)).toEqual([of('kim').id]);
  expect(await found('q=%25')).toEqual([]);
  expect((await service.items(cycle, 'order=access')).map(({ resource }) => resource.name).at(-1)).toBe(
    'Root',
  );
});

test('lists how far each reviewer is', async () => {
  const { cycle, of } = await open();
  await service.decide(cycle, [of('ann')], 'keep');
  const path = `/api/reviews/cycles/${cycle.external_uuid}/reviewers/`;
  const { body } = await service.call('GET', path);
  expect(body).toMatchObject({
    count: 2,
    results: [
      { reviewer: { external_uuid: people.boss }, items: 7, decided: 1, open: 6, overdue: 0 },
      { reviewer: null, items: 1, decided: 0, open: 1, overdue: 0 },
    ],
  });
  expect(await service.items(cycle, `reviewer=${people.boss}`)).toHaveLength(7);
  await service.makeDue();
  expect((await service.call('GET', path)).body.results[0]).toMatchObject({
    decided: 1,
    open: 0,
    overdue: 6,
  });
  const boss = await service.keyOf(email('boss'));
  expect((await service.call('GET', path, undefined, { key: boss.key })).status).toBe(403);
});

test('counts the items of a campaign before it starts', async () => {
  const scope = {
    apps: [app.id],
    include: ['accounts', 'memberships'],
    users: "user.attributes.department == 'Sales'",
  };
  const id = await service.campaign({ scope });
  const preview = async () => (await service.call('GET', `/api/reviews/${id}/preview/`)).body;
  const body = await preview();
  const settings = await service.call('POST', '/api/reviews/preview/', { scope, frequency: 'quarterly' });
  expect(settings).toMatchObject({ status: 200, body: { ...body, first: expect.any(Array) } });
  const cycle = (await service.call('POST', `/api/reviews/${id}/start/`)).body;
  expect(body).toEqual({
    accounts: 7,
    items: cycle.progress.items,
    people: 7,
    reviewers: 1,
    by_administrators: 2,
    // The account and the membership of 5 people who do not use them, and of one who left.
    with_deviations: 12,
    first: expect.any(Array),
    more: false,
    cannot_sign_in: [{ external_uuid: people.boss, email: email('boss') }],
    without_reviewer: 14,
    own_accounts: { count: 0, results: [] },
    last_members: { count: 0, results: [] },
    one_stays: { count: 0, results: [] },
    undecided: { count: 0, people: [], reasons: [] },
  });
  expect(body.first).toHaveLength(10);
  const bob = { external_uuid: people.bob, email: email('bob'), name: '' };
  expect(body.first).toContainEqual({
    kind: 'membership',
    app: expect.objectContaining({ external_uuid: app.id }),
    account: email('bob'),
    resource: 'CRM users',
    user: bob,
    reviewers: [{ external_uuid: people.boss, email: email('boss') }],
    unused_days: 200,
    deviations: ['not_used'],
  });
  await signInAs(service, { external_uuid: people.boss ?? '', email: email('boss') });
  expect(await preview()).toMatchObject({ cannot_sign_in: [], without_reviewer: 2 });
});

test('shows the items that deviate first, and counts all of them', async () => {
  const scope = {
    apps: [app.id],
    include: ['memberships'],
    users: "user.email.startsWith('ann@') || user.email.startsWith('left@')",
  };
  const { body } = await service.call('POST', '/api/reviews/preview/', { scope });
  expect(body).toMatchObject({ items: 2, people: 2, with_deviations: 1, by_administrators: 1 });
  expect(body.first.map(({ deviations }: { deviations: string[] }) => deviations)).toEqual([
    ['person_left'],
    [],
  ]);
});

test('names the field of settings that cannot be previewed', async () => {
  const preview = (body: object) => service.call('POST', '/api/reviews/preview/', body);
  expect(await preview({ scope: { users: 'user.' } })).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^The condition is invalid at line 1/) },
  });
  expect(await preview({ scope: { include: ['accounts'], risks: ['high'] } })).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^scope\.risks/) },
  });
  expect((await preview({ scope: { apps: [people.boss] } })).status).toBe(404);
  expect((await preview({ reviewer: [app.id] })).status).toBe(404);
  expect(await preview({ due_days: 0 })).toMatchObject({ status: 400 });
});
