import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization, addPersonWithKey, eventsOf } from '#test/people.ts';
import { openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';

const DAY = 86_400_000;
const NAMES = ['lee', 'ada', 'bot', 'kim', 'max', 'pat', 'sam'];
const LEFT = { dry_run: false, reason: 'Left' };

let service: RequestsTest;
let call: RequestsTest['call'];
let lee: Somebody;
beforeAll(async () => {
  const synced = NAMES.map((id) => ({
    ...{ id, email: `${id}@acme.example`, username: id },
    ...{ memberships: { team: [{ id: 'red' }] }, assignments: { seat: [{ id: 'gold' }] } },
  }));
  service = await openRequestsTest([], { own: true });
  call = service.call;
  const team = [
    { id: 'red', name: 'Red', risk: 'high' },
    { id: 'blue', name: 'Blue' },
  ];
  await service.sync(synced, { team });
  lee = await person('lee');
  await call('PATCH', `/api/apps/${service.appId}/`, { removal_guard: null });
});
afterAll(() => service.close());

const person = (name: string) => addPersonWithKey(service, 'member', { email: `${name}@acme.example` });
const accountOf = async (name: string) =>
  (await service.accountByEmail(`${name}@acme.example`)).external_uuid;
const offboard = (user: string, body: object, by?: { key: string }) =>
  call('POST', `/api/users/${user}/offboard/`, body, by);
const tasksOf = async (account: string) =>
  (await call('GET', `/api/tasks/?account=${account}`)).body.results.toReversed();
/** Lets people carry out the tasks of the app, or its connector if there are none. */
async function fulfillBy(people: string[]) {
  const settings = {
    ...{ enabled: people.length > 0, assignment: 'round_robin', people, groups: [], instructions: {} },
    ...{ due_in_working_days: {}, remind_before_working_days: 1, escalate_after_working_days: null },
  };
  expect((await call('PUT', `/api/apps/${service.appId}/fulfillment/`, settings)).status).toBe(200);
}
const userOf = async (id: string) => (await call('GET', `/api/users/${id}/`)).body;

test('shows everything that it would do, and then does it', async () => {
  const { ada, grace } = service;
  const account = await accountOf('lee');
  await call('PATCH', `/api/users/${ada.id}/`, { manager: lee.id });
  await call('PATCH', `/api/users/${grace.id}/`, { manager: lee.id });
  await call('PATCH', `/api/accounts/${await accountOf('bot')}/`, { kind: 'service', owner: lee.id });
  await call('PATCH', `/api/apps/${service.appId}/`, { owner: lee.id });
  await service.route([{ approvers: [service.owen.id] }, { approvers: [lee.id] }]);
  const later = (await service.ask({}, service.owen)).body.external_uuid;
  await service.route([{ approvers: [lee.id] }, { approvers: [lee.id] }], [lee.id]);
  await fulfillBy([lee.id]);
  const asked = (await service.ask({}, service.owen)).body.external_uuid;
  const own = await service.ask({ user: grace.id }, grace);
  const reviewers = { reviewer: [lee.id], fallback_reviewers: [lee.id, ada.id] };
  const named = (await call('POST', '/api/reviews/', { name: 'Named', ...reviewers })).body.external_uuid;
  const away = async (absent: string, deputy: string) => {
    const [starts_at, ends_at] = [1, 2].map((days) => new Date(Date.now() + days * DAY).toISOString());
    const body = { starts_at, ends_at, deputy };
    expect((await call('POST', `/api/users/${absent}/absences/`, body)).status).toBe(201);
  };
  await away(ada.id, lee.id);
  await away(grace.id, lee.id);
  const campaign = (await call('POST', '/api/reviews/', { name: 'Quarterly' })).body.external_uuid;
  const cycle = (await call('POST', `/api/reviews/${campaign}/start/`)).body.external_uuid;
  await service.app.tick();
  const work = { app: service.appId, account: await accountOf('max'), action: 'suspend_account' };
  const task = (await call('POST', '/api/tasks/', work)).body.external_uuid;
  await service.app.tick();
  const heir = grace.id;
  const wanted = { reason: 'Left', reference: 'HR-7', hand_over: { ...allTo(heir), decisions: heir } };

  const dry = await offboard(lee.id, wanted);

  expect(dry).toMatchObject({ status: 200, body: { dry_run: true, user: lee.id, revoked_keys: 1 } });
  expect(dry.body.accounts).toMatchObject([
    {
      ...{
        external_uuid: account,
        username: 'lee',
        groups: 1,
        licenses: 1,
        high_risk: ['Red'],
        removals: [],
      },
      suspend: { outcome: 'ordered', task: null },
      delete: { outcome: 'ordered', task: null },
    },
  ]);
  expect(await userOf(lee.id)).toMatchObject({ status: 'active' });
  expect(await tasksOf(account)).toEqual([]);

  const done = await offboard(lee.id, { ...wanted, dry_run: false });

  expect(done.body.handed_over).toEqual({
    ...{ accounts: { found: 1, moved: 1 }, apps: { found: 1, moved: 1 }, reports: { found: 2, moved: 2 } },
    // Grace asked for one of the requests herself.
    ...{ approvals: { found: 3, moved: 2 }, review_items: { found: 3, moved: 3 } },
    tasks: { found: 1, moved: 1 },
    // Nobody is their own deputy.
    ...{
      deputies: { found: 2, moved: 1 },
      fulfillment: { found: 1, moved: 1 },
      campaigns: { found: 1, moved: 1 },
    },
    entitlements: { found: 0, moved: 0 },
  });
  expect(dry.body.handed_over).toEqual(done.body.handed_over);
  expect(await userOf(lee.id)).toMatchObject({ status: 'deactivated' });
  const [suspension, deletion] = await tasksOf(account);
  expect(suspension).toMatchObject({ action: 'suspend_account', status: 'pending', reason: 'Left (HR-7)' });
  expect(deletion).toMatchObject({ action: 'delete_account', status: 'scheduled' });
  expect(Date.parse(deletion.execute_after) - Date.now()).toBeGreaterThan(29 * DAY);
  expect(done.body.accounts).toMatchObject([
    {
      suspend: { task: suspension.external_uuid },
      delete: { task: deletion.external_uuid, execute_after: deletion.execute_after },
    },
  ]);
  expect((await call('GET', '/api/me/', undefined, lee)).status).toBe(401);
  expect(await userOf(ada.id)).toMatchObject({ manager: heir });
  // Nobody is their own manager: the next one gets the manager of the leaver.
  expect(await userOf(heir)).toMatchObject({ manager: null });
  expect((await call('GET', `/api/accounts/${await accountOf('bot')}/`)).body.owner).toMatchObject({
    external_uuid: heir,
  });
  expect((await call('GET', `/api/apps/${service.appId}/`)).body).toMatchObject({
    ...{ owner: heir, fallback_approvers: [heir] },
    approval_steps: [{ approvers: [heir] }, { approvers: [heir] }],
  });
  expect((await service.ticket(asked)).waiting_for).toMatchObject([{ external_uuid: heir }]);
  expect((await service.ticket(later)).steps).toMatchObject([{}, { approvers: [heir] }]);
  expect((await service.ticket(own.body.external_uuid)).waiting_for).not.toContainEqual(
    expect.objectContaining({ external_uuid: heir }),
  );
  const items = (await call('GET', `/api/reviews/cycles/${cycle}/items/`)).body.results;
  expect(items.filter((item: { reviewers: object[] }) => names(item.reviewers).includes(heir))).toHaveLength(
    3,
  );
  expect((await call('GET', `/api/fulfillment/tasks/${task}/`)).body.assignee).toMatchObject({
    external_uuid: heir,
  });
  const deputyOf = async (absent: string) =>
    (await call('GET', `/api/users/${absent}/absences/`)).body.results[0].deputy;
  expect(await deputyOf(ada.id)).toMatchObject({ external_uuid: heir });
  expect(await deputyOf(heir)).toMatchObject({ external_uuid: lee.id });
  expect((await call('GET', `/api/apps/${service.appId}/fulfillment/`)).body.people).toEqual([heir]);
  expect((await call('GET', `/api/reviews/${named}/`)).body).toMatchObject({
    ...{ reviewer: [heir], fallback_reviewers: [heir, ada.id] },
  });
  const types = (await eventsOf(service, '')).map(({ event_type }) => event_type);
  expect(types).toEqual(
    expect.arrayContaining([
      ...['user.deactivated', 'api_key.revoked', 'account_owner.changed', 'app_settings.changed'],
      ...['request.reassigned', 'fulfillment.reassigned', 'task.created'],
      ...['absence.updated', 'fulfillment.configured', 'campaign.updated'],
    ]),
  );
});

const allTo = (id: string) => ({ accounts: id, apps: id, reports: id });
const names = (people: object[]) =>
  people.map((one) => (one as { external_uuid?: string; id?: string }).external_uuid ?? one);

test('cancels its tasks at their turn if the person is back, and orders only what is missing the second time', async () => {
  await fulfillBy([]);
  const kim = await person('kim');
  const account = await accountOf('kim');
  await offboard(kim.id, LEFT);

  const again = await offboard(kim.id, LEFT);

  const before = { outcome: 'ordered_before', task: null };
  expect(again.body.accounts).toMatchObject([{ removals: [{}, {}], suspend: before, delete: before }]);
  expect(await tasksOf(account)).toHaveLength(2);
  expect((await call('POST', `/api/users/${kim.id}/reactivate/`)).status).toBe(200);
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  const fetched = tasks.map(({ id }: { id: string }) => id);
  for (const { external_uuid } of await tasksOf(account)) expect(fetched).not.toContain(external_uuid);
  await service.passTime((31 * DAY) / 1000);
  const ended = async () => (await tasksOf(account)).map(({ status }: { status: string }) => status);
  await expect.poll(ended).toEqual(['cancelled', 'cancelled']);
});

test('does with each account what is chosen for it', async () => {
  const sam = await person('sam');
  const account = await accountOf('sam');
  const choose = (choice: object) => offboard(sam.id, { reason: 'Left', accounts: [{ account, ...choice }] });

  const outcomes = async (choice: object) => {
    const [{ suspend, delete: deletion }] = (await choose(choice)).body.accounts;
    return [suspend.outcome, deletion.outcome];
  };

  expect(await outcomes({ suspend: false })).toEqual(['not_wanted', 'ordered']);
  expect(await outcomes({ delete_after_days: null })).toEqual(['ordered', 'not_wanted']);
  // Deleted now, it is not suspended first.
  expect(await outcomes({ delete_after_days: 0 })).toEqual(['not_needed', 'ordered']);
  const foreign = { account: await accountOf('ada') };
  expect((await offboard(sam.id, { ...LEFT, accounts: [foreign] })).status).toBe(422);
  expect(await userOf(sam.id)).toMatchObject({ status: 'active' });
});

test('refuses successors who cannot take over, and does nothing then', async () => {
  const pat = await person('pat');
  const auditor = await addPersonWithKey(service, 'auditor');
  const gone = await addPersonWithKey(service, 'member');
  await call('POST', `/api/users/${gone.id}/deactivate/`);
  const statusOf = async (hand_over: object) => (await offboard(pat.id, { ...LEFT, hand_over })).status;

  expect(await statusOf({ apps: pat.id })).toBe(409);
  expect(await statusOf({ reports: gone.id })).toBe(409);
  expect(await statusOf({ decisions: auditor.id })).toBe(409);
  expect(await statusOf({ accounts: service.orgId })).toBe(404);
  expect(await userOf(pat.id)).toMatchObject({ status: 'active' });
  expect(await tasksOf(await accountOf('pat'))).toEqual([]);
});

test('refuses everybody who may not deactivate the person', async () => {
  const { adminId, ada } = service;
  const admin = await addPersonWithKey(service, 'admin');
  const limited = await addPersonWithKey(service, 'admin', { apps: [service.appId] });
  const leaver = await addPersonWithKey(service, 'member');

  expect((await offboard(adminId, LEFT)).body.code).toBe('own_offboarding');
  expect((await offboard(adminId, LEFT, admin)).body.code).toBe('owner_makes_owner');
  expect((await offboard(leaver.id, LEFT, limited)).status).toBe(403);
  expect((await offboard(leaver.id, LEFT, ada)).status).toBe(403);
  const other = await addOrganization(service);
  expect((await other('POST', `/api/users/${leaver.id}/offboard/`, LEFT)).status).toBe(404);
  expect(await userOf(leaver.id)).toMatchObject({ status: 'active' });
});
