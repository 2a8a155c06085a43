import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { within } from '#kit/database.ts';
import { openJobs } from '#kit/jobs/jobs.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { addSyncedApp } from '#test/sync.ts';
import { continueOpening, openDueCycle } from './open.ts';
import { unfinishedCycles } from './queries/open.ts';

let service: ReviewsTest;
let people: Record<string, string>;
const email = (name: string) => `${name}@acme.example`;
const red = { team: [{ id: 'red' }] };

/** boss manages ann and bob, bob manages eve, boss has no manager. */
async function open() {
  service = await openReviewsTest([], { own: true });
  people = {};
  for (const [name, more] of Object.entries({
    boss: {},
    ann: { manager: 'boss', attributes: { department: 'Finance' } },
    bob: { manager: 'boss' },
    eve: { manager: 'bob', attributes: { department: 'Finance' } },
    owner: {},
    watcher: {},
  } as Record<string, { manager?: string }>)) {
    const manager = more.manager === undefined ? null : people[more.manager];
    const { body } = await service.call('POST', '/api/users/', { ...more, email: email(name), manager });
    people[name] = body.external_uuid;
  }
  await sql`update platform_user set role = 'auditor' where id = ${people.watcher}`.execute(
    service.database.db,
  );
  await service.sync([
    { id: 'ann', email: email('ann'), memberships: red, assignments: { seat: [{ id: 'gold' }] } },
    { id: 'bob', email: email('bob') },
    { id: 'boss', email: email('boss') },
    { id: 'eve', email: email('eve'), status: 'suspended' },
    { id: 'gone', email: email('gone'), status: 'inactive' },
    { id: 'robot', username: 'robot' },
    { id: 'owner', email: email('owner') },
  ]);
  await service.call('PATCH', `/api/apps/${service.appId}/`, { owner: people.owner });
}
beforeAll(open);
afterAll(() => service.close());

/** Gives a test that adds access a service of its own, since the others count all access. */
async function openAlone() {
  const shared = { service, people };
  await open();
  onTestFinished(async () => {
    await service.close();
    ({ service, people } = shared);
  });
}

/** Returns the reviewer of each person's account, by name. */
async function reviewersIn(cycle: { external_uuid: string }) {
  const items = await service.items(cycle, 'kind=account');
  return Object.fromEntries(
    items.map(({ account, reviewers }) => [
      (account.email || account.username).split('@')[0],
      reviewers.map((one: { email: string }) => one.email.split('@')[0]).join(' '),
    ]),
  );
}

test('creates one item for each live account and each of its groups and licenses', async () => {
  const cycle = await service.start();
  expect(cycle).toMatchObject({
    status: 'in_progress',
    progress: { items: 8, decided: 0, undecided: 8 },
    opening: { accounts: 6, of: 6 },
  });
  expect(Date.parse(cycle.due_at) - Date.parse(cycle.opened_at)).toBe(14 * 24 * 3600 * 1000);

  const ann = await service.items(cycle, `user=${people.ann}`);
  expect(ann).toMatchObject([
    { kind: 'account', resource: null, account: { email: email('ann') }, app: { name: 'Payroll' } },
    { kind: 'assignment', resource: { slug: 'seat', id: 'gold', name: 'Gold' } },
    { kind: 'membership', resource: { slug: 'team', id: 'red', name: 'Red' }, decision: null, task: null },
  ]);
  await service.call('PATCH', `/api/users/${people.ann}/`, { last_name: 'Renamed', email: email('anna') });
  expect((await service.items(cycle, `user=${people.ann}`))[0]).toEqual(ann[0]);
  await service.call('PATCH', `/api/users/${people.ann}/`, { last_name: '', email: email('ann') });
});

test.each([
  [['accounts'], 6],
  [['memberships'], 1],
  [['assignments', 'memberships'], 2],
])('includes only %o', async (include, items) => {
  expect((await service.start({ scope: { include } })).progress.items).toBe(items);
});

test('reviews only accounts of people who match the condition', async () => {
  const users = "has(user.attributes.department) && user.attributes.department == 'Finance'";
  const cycle = await service.start({ scope: { users } });
  expect(Object.keys(await reviewersIn(cycle))).toEqual(['ann', 'eve']);
});

test('reviews only the apps in the scope', async () => {
  const other = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Empty' })).body.id;
  expect((await service.start({ scope: { apps: [service.appId] } })).progress.items).toBe(8);
  const id = await service.campaign({ scope: { apps: [other] } });
  expect((await service.call('POST', `/api/reviews/${id}/start/`)).status).toBe(422);
});

test.each([
  ['manager', undefined, { ann: 'boss', bob: 'boss', boss: '', eve: 'bob', robot: '', owner: '' }],
  [
    'manager',
    ['ann', 'eve'],
    { ann: 'boss', bob: 'boss', boss: 'ann eve', eve: 'bob', robot: 'ann eve', owner: 'ann eve' },
  ],
  [
    'app_owner',
    ['boss'],
    { ann: 'owner', bob: 'owner', boss: 'owner', eve: 'owner', robot: 'owner', owner: 'boss' },
  ],
  [
    ['ann', 'bob'],
    ['eve'],
    { ann: 'bob', bob: 'ann', boss: 'ann bob', eve: 'ann bob', robot: 'ann bob', owner: 'ann bob' },
  ],
  [['eve'], undefined, { ann: 'eve', bob: 'eve', boss: 'eve', eve: '', robot: 'eve', owner: 'eve' }],
  [['watcher'], ['ann'], { ann: '', bob: 'ann', boss: 'ann', eve: 'ann', robot: 'ann', owner: 'ann' }],
] as const)('assigns the reviewer %o, or else the fallback %o', async (reviewer, fallback, expected) => {
  const idsOf = (names: readonly string[]) => names.map((name) => people[name]);
  const cycle = await service.start({
    reviewer: typeof reviewer === 'string' ? reviewer : idsOf(reviewer),
    fallback_reviewers: fallback === undefined ? null : idsOf(fallback),
  });
  expect(await reviewersIn(cycle)).toEqual(expected);
});

test('reassigns the undecided items of a reviewer who leaves', async () => {
  const cycle = await service.start({ reviewer: [people.bob], fallback_reviewers: [people.ann] });
  const [first] = await service.items(cycle, 'kind=account');
  await service.decide(cycle, [first], 'keep', { key: (await service.keyOf(email('bob'))).key });
  await service.call('POST', `/api/users/${people.bob}/deactivate/`);
  const after = await reviewersIn(cycle);
  await service.call('POST', `/api/users/${people.bob}/reactivate/`);
  expect(after).toEqual({ ann: 'bob', bob: 'ann', boss: 'ann', eve: 'ann', robot: 'ann', owner: 'ann' });
});

test('shows since when and how access was granted, and to whom', async () => {
  await openAlone();
  await service.call('PATCH', `/api/users/${people.ann}/`, { attributes: { title: 'Clerk' } });
  const { body } = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    account: (await service.accountByEmail(email('bob'))).external_uuid,
    action: 'update_account',
    changes: { team: { added: ['blue'] } },
  });
  await service.bridge('PATCH', `/tasks/${body.external_uuid}/status/`, { status: 'completed' });
  const cycle = await service.start({ scope: { include: ['memberships'] } });
  const [ann] = await service.items(cycle, `user=${people.ann}`);
  const [bob] = await service.items(cycle, `user=${people.bob}`);
  expect(ann.context).toMatchObject({ found: true, grants: [], since: expect.stringMatching(/Z$/) });
  expect(ann.context.last_seen_at).toMatch(/Z$/);
  expect(ann.context.account_status).toBe('ACTIVE');
  expect(ann.context.person).toEqual({ status: 'active', department: expect.any(String), title: 'Clerk' });
  const { results } = (await service.call('GET', '/api/grants/')).body;
  expect(results).toMatchObject([{ source: { kind: 'manual', external_uuid: body.external_uuid } }]);
  const { external_uuid } = results[0];
  expect(bob.context).toMatchObject({ found: false, grants: [{ external_uuid, kind: 'manual', label: '' }] });
});

test('returns 422 and opens no cycle if the scope is empty', async () => {
  const id = await service.campaign({ scope: { users: 'user.email == "nobody@acme.example"' } });
  const answer = await service.call('POST', `/api/reviews/${id}/start/`);
  expect(answer).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('nothing to review') },
  });
  expect((await service.call('GET', `/api/reviews/${id}/cycles/`)).body.count).toBe(0);
});

test('opens one cycle for two simultaneous starts, and another after it is completed', async () => {
  const id = await service.campaign({ scope: { include: ['memberships'] } });
  const start = () => service.call('POST', `/api/reviews/${id}/start/`);
  const answers = await Promise.all([start(), start(), start()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const cycle = answers.find(({ status }) => status === 201)?.body;
  await service.decide(cycle, await service.items(cycle), 'keep');
  expect((await start()).status).toBe(201);
});

/** Makes the waiting cycle due and lets several nodes open it at the same time. */
async function letItsTurnCome(campaign: string) {
  const { db } = service.database;
  await sql`update review_cycle set opens_at = now() - interval '1 minute' where campaign_id = ${campaign} and begun_at is null`.execute(
    db,
  );
  const due = (await unfinishedCycles(db)).filter(
    (one) => one.campaign_id === campaign && one.step === 'begin',
  );
  const jobs = openJobs(service.database, createLogger('silent'));
  const open = () =>
    Promise.all(due.map(({ id }) => openDueCycle({ db, jobs }, within(db, service.orgId), campaign, id)));
  await Promise.all([open(), open()]);
  return (await service.call('GET', `/api/reviews/${campaign}/cycles/`)).body.results;
}

test('opens a due cycle once and schedules the next one', async () => {
  const campaign = await service.campaign({ frequency: 'annually', starts_at: '2999-05-01' });
  expect(await letItsTurnCome(campaign)).toMatchObject([
    { status: 'scheduled', opens_at: '2999-05-01T00:00:00.000Z' },
    { status: 'in_progress', progress: { items: 8 } },
  ]);
  expect(await letItsTurnCome(campaign)).toMatchObject([{ status: 'in_progress' }, { status: 'scheduled' }]);
});

test('skips a due cycle with nothing to review and notes it on the campaign', async () => {
  const nobody = { users: 'user.email == "nobody@acme.example"' };
  const recurring = await service.campaign({ frequency: 'monthly', starts_at: '2999-05-01', scope: nobody });
  expect(await letItsTurnCome(recurring)).toMatchObject([
    { status: 'scheduled', opens_at: '2999-05-01T00:00:00.000Z' },
  ]);
  const once = await service.campaign({ starts_at: '2999-05-01', scope: nobody });
  expect(await letItsTurnCome(once)).toEqual([]);
  const { body } = await service.call('GET', `/api/reviews/${once}/`);
  expect(body).toMatchObject({ last_empty_at: expect.any(String), next_opens_at: null });
});

test('starts the waiting cycle when the only cycle of a campaign is started by hand', async () => {
  const cycle = await service.start({ frequency: 'once', starts_at: '2999-05-01' });
  const campaign = `/api/reviews/${cycle.campaign.external_uuid}/`;
  expect((await service.call('GET', campaign)).body.next_opens_at).toBeNull();
});

test('has no items to decide in a waiting cycle', async () => {
  const campaign = await service.campaign({ starts_at: '2999-05-01' });
  const { body } = await service.call('GET', `/api/reviews/${campaign}/cycles/`);
  expect(await service.items(body.results[0])).toEqual([]);
  expect(await service.decide(body.results[0], [{ id: campaign }], 'keep')).toMatchObject({
    status: 409,
    body: { detail: 'The cycle is not open yet.' },
  });
});

test('opens a cycle of 20,000 accounts in a job and reports its progress', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  await openAlone();
  const { db } = service.database;
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Large' })).body.id;
  for (const [slug, type] of [
    ['person', 'account'],
    ['team', 'group'],
  ]) {
    await service.call('POST', `/api/v1/bridge/apps/${app}/resource-types/`, { slug, name: slug, type });
  }
  await sql`
    with kind as (
      select r.id, r.type from resource_type r join app p on p.org_id = r.org_id and p.clone_group_id = r.clone_group_id
      where p.id = ${app}
    ), a as (
      insert into account (org_id, app_id, resource_type_id, external_id, email, status)
      select ${service.orgId}, ${app}, kind.id, 'n' || n, 'n' || n || '@large.example', 'ACTIVE'
      from generate_series(1, 20000) n, kind where kind.type = 'account' returning org_id, id
    ), e as (
      insert into entitlement (org_id, app_id, resource_type_id, external_id, name)
      select ${service.orgId}, ${app}, kind.id, 'all', 'All' from kind where kind.type = 'group' returning id
    )
    insert into membership (org_id, account_id, entitlement_id) select a.org_id, a.id, e.id from a, e`.execute(
    db,
  );
  // As the publication of a large sync session does.
  await sql`analyze account, entitlement, membership`.execute(db);

  const cycle = await service.start({ scope: { apps: [app] } });
  expect(cycle).toMatchObject({ status: 'scheduled', opening: { of: 20_000 }, due_at: null });
  expect(cycle.opening.accounts).toBeGreaterThanOrEqual(2000);
  expect(cycle.opening.accounts).toBeLessThan(20_000);
  // The job is running. Two more nodes continue the opening, and no item is created twice.
  const open = () => continueOpening(within(db, service.orgId), cycle.external_uuid);
  await Promise.all([open(), open()]);
  const { body } = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
  expect(body).toMatchObject({
    status: 'in_progress',
    opening: { accounts: 20_000, of: 20_000 },
    progress: { items: 40_000, undecided: 40_000 },
  });
  const { rows } = await sql<{ n: number; accounts: number }>`
    select count(*) as n, count(distinct account_id) as accounts from review_item
    where cycle_id = ${cycle.external_uuid}`.execute(db);
  expect(rows).toEqual([{ n: 40_000, accounts: 20_000 }]);
});

test('assigns the owner of a service account, or else the manager, and shows the details', async () => {
  await openAlone();
  const pushed = {
    team: [{ id: 'vault', name: 'Vault', risk: 'high', owner: email('boss') }],
    person: [
      { id: 'ann', email: email('ann') },
      {
        id: 'backup',
        username: 'backup',
        owner: email('eve'),
        last_sign_in_at: '2026-01-02T03:04:05Z',
        memberships: { team: [{ id: 'vault' }] },
      },
      { id: 'lost', username: 'lost', owner: email('unknown') },
    ],
  };
  const app = await addSyncedApp(service);
  await app.sync(pushed);
  const cycle = await service.start({
    scope: { apps: [app.id] },
    reviewer: 'account_owner',
    fallback_reviewers: [people.bob],
  });

  expect(await reviewersIn(cycle)).toMatchObject({ ann: 'boss', backup: 'eve', lost: 'bob' });
  const items = await service.items(cycle);
  const contextOf = (kind: string, name: string) =>
    items.find((item) => item.kind === kind && item.account.username === name)?.context;
  expect(contextOf('account', 'backup')).toMatchObject({
    last_sign_in_at: '2026-01-02T03:04:05.000Z',
    account_owner: { external_uuid: people.eve },
    owner_email: email('eve'),
    risk: null,
  });
  expect(contextOf('membership', 'backup')).toMatchObject({ risk: 'high', owner_email: email('boss') });
  expect(contextOf('account', 'lost')).toMatchObject({ account_owner: null, owner_email: email('unknown') });
});
