import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { momentBetween } from '#test/moments.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { settle } from '#test/policies.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { setTimes } from '#test/time.ts';

/**
 * Walks the operations that give access (D76). The first owner has created the administrator `made`, who decides about access of the owner.
 * `other` is an administrator whom nobody is behind.
 */

let service: ReviewsTest;
let call: ReviewsTest['call'];
let owner: { id: string; email: string; account: string };
let made: { id: string; key: string };
let other: { id: string; key: string };
const somebody = { id: 'somebody', email: 'somebody@acme.example' };
const gone = { id: 'gone', email: 'gone@acme.example' };
// So that no guard holds the sync in which two accounts are gone.
const others = Array.from({ length: 12 }, (_, i) => ({ id: `p${i}`, email: `p${i}@else.example` }));
const world = () => [
  { id: 'own', email: owner.email, memberships: { team: [{ id: 'red' }] } },
  somebody,
  gone,
  ...others,
];

beforeAll(async () => {
  service = await openReviewsTest();
  call = service.call;
  const { body } = await call('GET', `/api/users/${service.adminId}/`);
  owner = { id: body.external_uuid, email: body.email, account: '' };
  made = await addPersonWithKey(service, 'admin');
  other = await addPersonWithKey(service, 'admin');
  await call('POST', '/api/users/', { email: gone.email });
  await service.sync(world());
  owner.account = (await service.accountByEmail(owner.email)).external_uuid;
});
afterAll(() => service.close());
beforeEach(() => knows(true));

/** Whether the owner created `made` in the last 30 days. */
const knows = (recently: boolean) =>
  setTimes(
    service,
    'given_means',
    { given_at: recently ? '1 second ago' : '31 days ago' },
    { receiver_id: made.id },
  );

const REFUSED = { status: 403 };

async function addApp(name: string): Promise<string> {
  const { id } = (await call('POST', '/api/v1/bridge/apps/', { name })).body;
  const type = { slug: 'person', name: 'Person', type: 'account' };
  await call('POST', `/api/v1/bridge/apps/${id}/resource-types/`, type);
  return id;
}

test('a task', async () => {
  const add = (key: string, resource: string) =>
    call(
      'POST',
      '/api/tasks/',
      {
        app: service.appId,
        action: 'update_account',
        account: owner.account,
        changes: { team: { added: [resource] } },
      },
      { key },
    );

  expect(await add(made.key, 'blue')).toMatchObject(REFUSED);
  expect((await add(other.key, 'blue')).status).toBe(201);
});

test('an approval, and one in place of all approvers', async () => {
  await call('PATCH', `/api/apps/${service.appId}/`, {
    approval_steps: [{ approvers: [made.id, other.id] }],
  });
  const body = { app: service.appId, type: 'MODIFY_ACCESS', assignments: { seat: ['gold'] } };
  const { body: ticket } = await call('POST', '/api/tickets/', { ...body, user: owner.id });
  const approve = (key: string, more = {}) =>
    call('POST', `/api/tickets/${ticket.external_uuid}/approve/`, { comment: 'x', ...more }, { key });

  expect(await approve(made.key)).toMatchObject({ ...REFUSED, body: { code: 'approver_means_given' } });
  expect(await approve(made.key, { override: true })).toMatchObject(REFUSED);
  expect((await approve(other.key)).status).toBe(200);
  expect((await call('GET', `/api/tickets/${ticket.external_uuid}/`)).body.own_afterwards).toBe(false);
});

test('a decision to keep access', async () => {
  const cycle = await service.start({ scope: { users: `user.email == '${owner.email}'` } });
  const [item] = await service.items(cycle);

  expect(await service.decide(cycle, [item], 'keep', { key: made.key })).toMatchObject({
    ...REFUSED,
    body: { code: 'access_behind' },
  });
  expect((await service.decide(cycle, [item], 'keep', { key: other.key })).status).toBe(200);
  expect((await service.items(cycle))[0]).toMatchObject({ own_afterwards: false });
});

test('a restore of one person is refused, and one of many goes on without them', async () => {
  const as_of = await momentBetween(service.database.db);
  await service.sync(world());
  await service.sync([somebody, ...others]);
  const restore = (scope: object, more = {}) =>
    call('POST', '/api/restore/', { ...scope, as_of, ...more }, { key: made.key });

  const own = { users: [owner.id] };
  const { plan } = (await restore(own)).body;
  expect(await restore(own, { plan, dry_run: false })).toMatchObject(REFUSED);
  const { body } = await restore({ app: service.appId });
  expect(body).toMatchObject({ excluded: [{ user: owner.id, because: 'person' }] });
  expect(body.results.find(({ user }: { user: string }) => user === owner.id)).toMatchObject({
    included: false,
  });
  await service.sync(world());
});

test('a canceled or rejected removal', async () => {
  const remove = { app: service.appId, action: 'update_account', account: owner.account };
  const execute_after = new Date(Date.now() + 86_400_000).toISOString();
  const { body: task } = await call('POST', '/api/tasks/', {
    ...{ ...remove, execute_after, changes: { team: { removed: ['red'] } } },
  });
  const cancel = (key: string) => call('POST', `/api/tasks/${task.external_uuid}/cancel/`, {}, { key });
  expect(await cancel(made.key)).toMatchObject({ ...REFUSED, body: { code: 'own_benefit' } });
  expect((await cancel(other.key)).status).toBe(200);

  const guard = (removal_guard: object | null) =>
    call('PATCH', `/api/apps/${service.appId}/`, { removal_guard });
  await guard({ percent: 1, at_least: 1 });
  for (const account of [owner.account, (await service.accountByEmail(somebody.email)).external_uuid])
    await call('POST', '/api/tasks/', { app: service.appId, action: 'suspend_account', account });
  const held = async () => (await call('GET', `/api/apps/${service.appId}/held-tasks/`)).body.count;
  expect(await held()).toBe(2);
  const reject = (key: string) => call('POST', `/api/apps/${service.appId}/held-tasks/reject/`, {}, { key });
  expect(await reject(made.key)).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await reject(made.key)).toMatchObject({ ...REFUSED, body: { code: 'own_benefit' } });
  expect(await reject(other.key)).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await held()).toBe(0);
  await guard(null);
});

test('a policy waits for somebody else, and a confirmation by a hand gives nothing', async () => {
  const app = await addApp('Second');
  const policy = {
    name: 'Everybody',
    trigger: 'user.updated',
    condition: 'true',
    effects: [{ do: 'grant', app }],
  };
  const { body } = await call('POST', '/api/policies/', policy, { key: made.key });
  const act = (verb: string, key: string) =>
    call('POST', `/api/policies/${body.external_uuid}/${verb}/`, undefined, { key });
  const tasks = async () => (await call('GET', `/api/tasks/?app=${app}`)).body.count;
  const held = async () =>
    (await call('GET', `/api/policies/${body.external_uuid}/`)).body.pending_confirmation?.status;

  expect((await act('preview', other.key)).body.excluded).toEqual(
    [
      { user: made.id, because: 'self' },
      { user: owner.id, because: 'person' },
    ].sort((a, b) => a.user.localeCompare(b.user)),
  );
  await call('PATCH', `/api/users/${owner.id}/`, { last_name: 'Changed' });
  await settle(service.database.db);
  expect([await held(), await tasks()]).toEqual(['held', 0]);
  expect((await act('confirm', made.key)).status).toBe(200);
  await settle(service.database.db);
  expect([await held(), await tasks()]).toEqual(['held', 0]);
  expect((await act('confirm', other.key)).status).toBe(200);
  await settle(service.database.db);
  expect([await held(), await tasks()]).toEqual([undefined, 1]);
});

test('a link to somebody who was behind a decision about the account', async () => {
  const { external_uuid: account } = await service.accountByEmail(somebody.email);
  const changes = { team: { added: ['red'] } };
  const task = { app: service.appId, action: 'update_account', account, changes };
  expect((await call('POST', '/api/tasks/', task, { key: made.key })).status).toBe(201);
  const link = (key: string, user: string | null) =>
    call('PATCH', `/api/accounts/${account}/`, { user }, { key });

  expect(await link(made.key, made.id)).toMatchObject({ ...REFUSED, body: { code: 'own_decision' } });
  expect(await link(made.key, owner.id)).toMatchObject(REFUSED);
  expect((await link(other.key, owner.id)).status).toBe(200);
  await link(other.key, null);
});

test('an account that starts again, and lately was theirs', async () => {
  const email = others[11]?.email;
  const user = (await call('POST', '/api/users/', { email })).body.external_uuid;
  const account = (await service.accountByEmail(email ?? '')).external_uuid;
  for (const holder of [owner.id, user])
    expect(
      (await call('PATCH', `/api/accounts/${account}/`, { user: holder }, { key: other.key })).status,
    ).toBe(200);
  await service.sync(world().filter(({ id }) => id !== 'p11'));
  const task = { app: service.appId, action: 'create_account', user };

  expect(await call('POST', '/api/tasks/', task, { key: made.key })).toMatchObject(REFUSED);
  expect((await call('POST', '/api/tasks/', task, { key: other.key })).status).toBe(201);
});

test('means that were given more than 30 days ago do not count', async () => {
  await knows(false);
  const task = { app: await addApp('Third'), action: 'create_account', user: owner.id };

  expect((await call('POST', '/api/tasks/', task, { key: made.key })).status).toBe(201);
});

test('an owner who demotes the other administrators is not the only one for 30 days', async () => {
  const before = (await eventsOf(service, 'second_person.waived')).length;
  for (const { id } of [made, other])
    expect((await call('PATCH', `/api/users/${id}/`, { role: 'member' })).status).toBe(200);
  const task = { app: await addApp('Fourth'), action: 'create_account', user: owner.id };

  expect(await call('POST', '/api/tasks/', task)).toMatchObject(REFUSED);
  await setTimes(service, 'former_administrator', { until: '31 days ago' });
  expect((await call('POST', '/api/tasks/', task)).status).toBe(201);
  expect(await eventsOf(service, 'second_person.waived')).toHaveLength(before + 1);
});
